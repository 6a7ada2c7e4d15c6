package io.osmhub.workersync.reconcile;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.MachineDeploymentReader;
import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.problem.Subject;
import io.osmhub.core.status.Wording;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventSink;
import io.osmhub.workersync.port.EventSink.Action;
import io.osmhub.workersync.port.EventSink.Regarding;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.write.Written;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Puts what happened into Events: on the MachineDeployment in the worker cluster, and what is a warning on the WorkerCluster in
 * the management cluster too, where the owner of the platform looks.
 */
final class Teller {
    private static final int LONGEST_LIST = 5;

    private final EventSink worker;
    private final EventSink management;

    Teller(EventSink worker, EventSink management) {
        this.worker = worker;
        this.management = management;
    }

    private static Regarding of(MachineDeployment machineDeployment) {
        return new Regarding(
                MachineDeploymentReader.API_VERSION,
                MachineDeploymentReader.KIND,
                machineDeployment.namespace(),
                machineDeployment.name(),
                machineDeployment.uid());
    }

    private static Regarding workerCluster(TenantInputs inputs) {
        return new Regarding(
                Resource.WORKER_CLUSTERS.apiVersion(),
                "WorkerCluster",
                inputs.namespace(),
                inputs.workerCluster(),
                null);
    }

    /** Problems that a MachineDeployment has now; told again, they are counted. */
    void problems(TenantInputs inputs, MachineDeployment machineDeployment, List<Diagnosis> problems) {
        for (Diagnosis diagnosis : problems) {
            if (diagnosis.reason().events().contains(Subject.MACHINE_DEPLOYMENT)) {
                tell(inputs, machineDeployment, diagnosis.reason(), action(diagnosis.reason()), diagnosis.message());
            } else if (diagnosis.reason().events().contains(Subject.WORKER_CLUSTER)) {
                tellWorkerCluster(inputs, diagnosis.reason(), action(diagnosis.reason()), diagnosis.message());
            }
        }
    }

    /** A problem that had an Event is gone. */
    void resolved(TenantInputs inputs, MachineDeployment machineDeployment, Diagnosis problem, Duration after) {
        if (problem.reason().severity() == Severity.INFO
                || !problem.reason().events().contains(Subject.MACHINE_DEPLOYMENT)) {
            return;
        }
        tell(
                inputs,
                machineDeployment,
                Reason.ProblemResolved,
                action(problem.reason()),
                Message.of(
                        Reason.ProblemResolved,
                        Map.of(
                                "tenant", inputs.namespace(),
                                "kind", MachineDeploymentReader.KIND,
                                "name", machineDeployment.namespace() + "/" + machineDeployment.name(),
                                "reason", problem.reason().word(),
                                "duration", Wording.duration(after))));
    }

    /** What was changed; nothing for a first publication, which succeeds in silence. */
    void changes(TenantInputs inputs, MachineDeployment machineDeployment, List<Written.Done> done, Duration after) {
        Map<String, Set<String>> rotated = new TreeMap<>();
        for (Written.Done one : done) {
            Change change = one.change();
            switch (change.why().cause()) {
                case DRIFT -> repaired(inputs, machineDeployment, change, after);
                case CONTENT -> rotation(inputs, machineDeployment, one, rotated);
                case NEW_TOKEN -> newToken(inputs, machineDeployment, change);
                case FIRST, REVISION, RENEWAL, REMOVAL -> {
                    // Nothing that anybody has to know.
                }
            }
        }
        rotated.forEach((because, names) -> tell(
                inputs,
                machineDeployment,
                Reason.ConfigRotated,
                Action.PUBLISH,
                Message.of(
                        Reason.ConfigRotated,
                        Map.of(
                                "tenant", inputs.namespace(),
                                "md", machineDeployment.namespace() + "/" + machineDeployment.name(),
                                "because", because,
                                "names", String.join(", ", names),
                                "duration", Wording.duration(after)))));
    }

    private void rotation(
            TenantInputs inputs,
            MachineDeployment machineDeployment,
            Written.Done done,
            Map<String, Set<String>> rotated) {
        Target target = Target.of(done.change());
        if (!target.kind().equals("Secret")) {
            return;
        }
        rotated.computeIfAbsent(done.change().why().because(), because -> new LinkedHashSet<>())
                .add(target.name());
        if (done.change() instanceof Change.ReplaceSecret replace
                && replace.found().immutable()) {
            tell(
                    inputs,
                    machineDeployment,
                    Reason.ImmutableSecretReplaced,
                    Action.PUBLISH,
                    Message.of(
                            Reason.ImmutableSecretReplaced,
                            Map.of(
                                    "tenant", inputs.namespace(),
                                    "secret", target.fullName(),
                                    "duration", Wording.duration(done.took()))));
        }
    }

    private void repaired(TenantInputs inputs, MachineDeployment machineDeployment, Change change, Duration after) {
        Target target = Target.of(change);
        String writer = target.lastWriter();
        tell(
                inputs,
                machineDeployment,
                Reason.DriftRepaired,
                Action.PUBLISH,
                Message.of(
                        Reason.DriftRepaired,
                        Map.of(
                                "tenant", inputs.namespace(),
                                "kind", target.kind(),
                                "name", target.fullName(),
                                "change", writer == null ? "removed" : "changed",
                                "manager", writer == null ? "somebody" : writer,
                                "duration", Wording.duration(after))));
    }

    private void newToken(TenantInputs inputs, MachineDeployment machineDeployment, Change change) {
        if (change instanceof Change.CreateToken create) {
            String because = change.why().because();
            int colon = because.indexOf(": ");
            tell(
                    inputs,
                    machineDeployment,
                    Reason.BootstrapTokenReplaced,
                    Action.RENEW,
                    Message.of(
                            Reason.BootstrapTokenReplaced,
                            Map.of(
                                    "tenant", inputs.namespace(),
                                    "token", create.object().name(),
                                    "cause", colon < 0 ? because : because.substring(colon + 2))));
        }
    }

    /** What was left of MachineDeployments that are gone was deleted. */
    void leftovers(TenantInputs inputs, List<Change> changes) {
        List<String> names =
                changes.stream().map(change -> Target.of(change).toString()).toList();
        String list = String.join(", ", names.subList(0, Math.min(LONGEST_LIST, names.size())))
                + (names.size() > LONGEST_LIST ? " and others" : "");
        tellWorkerCluster(
                inputs,
                Reason.LeftoversRemoved,
                Action.CLEAN_UP,
                Message.of(
                        Reason.LeftoversRemoved,
                        Map.of(
                                "tenant", inputs.namespace(),
                                "wc", inputs.workerCluster(),
                                "n", Integer.toString(names.size()),
                                "names", list)));
    }

    /** Objects of the peer were taken over. */
    void adopted(TenantInputs inputs, Adoptions.Count count) {
        tellWorkerCluster(
                inputs,
                Reason.ObjectsAdopted,
                Action.ADOPT,
                Message.of(
                        Reason.ObjectsAdopted,
                        Map.of(
                                "tenant", inputs.namespace(),
                                "wc", inputs.workerCluster(),
                                "n", Integer.toString(count.machineDeployments()),
                                "m", Integer.toString(count.unchanged()),
                                "k", Integer.toString(count.changed()))));
    }

    private void tellWorkerCluster(TenantInputs inputs, Reason reason, Action action, String message) {
        management.tell(workerCluster(inputs), null, reason, action, message);
    }

    private void tell(
            TenantInputs inputs, MachineDeployment machineDeployment, Reason reason, Action action, String message) {
        Regarding regarding = of(machineDeployment);
        worker.tell(regarding, null, reason, action, message);
        if (reason.severity() != Severity.INFO) {
            management.tell(workerCluster(inputs), regarding, reason, action, message);
        }
    }

    private static Action action(Reason reason) {
        return switch (reason.category()) {
            case PROFILE, MACHINE, SETTINGS -> Action.RENDER;
            case TOKEN -> Action.RENEW;
            case SUMMARY, CREDENTIALS, CONNECTION -> Action.CONNECT;
            case OWNERSHIP, PUBLISH, HUB -> Action.PUBLISH;
        };
    }
}
