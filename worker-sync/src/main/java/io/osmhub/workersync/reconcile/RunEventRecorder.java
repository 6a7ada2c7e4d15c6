package io.osmhub.workersync.reconcile;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.MachineDeployment.MachineDeploymentReader;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.SubjectKind;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.status.UnitFormatter;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.port.EventRecorder.Action;
import io.osmhub.workersync.port.EventRecorder.Regarding;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.reconcile.RunScheduler.AdoptionCounter;
import io.osmhub.workersync.write.WriteResult;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Records Events: on the MachineDeployment in the worker cluster, and warnings also on the WorkerCluster in the management
 * cluster, for the platform operator.
 */
final class RunEventRecorder {
    private static final int LONGEST_LIST = 5;

    private final EventRecorder worker;
    private final EventRecorder management;

    RunEventRecorder(EventRecorder worker, EventRecorder management) {
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

    /** Records a MachineDeployment's current problems; repeats are counted. */
    void recordProblems(TenantInputs inputs, MachineDeployment machineDeployment, List<ReasonMessage> problems) {
        for (ReasonMessage diagnosis : problems) {
            if (diagnosis.reason().eventSubjects().contains(SubjectKind.MACHINE_DEPLOYMENT)) {
                recordEvent(inputs, machineDeployment, diagnosis);
            } else if (diagnosis.reason().eventSubjects().contains(SubjectKind.WORKER_CLUSTER)) {
                management.recordEvent(workerCluster(inputs), null, diagnosis);
            }
        }
    }

    /** A problem with an Event was resolved. */
    void recordResolved(
            TenantInputs inputs, MachineDeployment machineDeployment, ReasonMessage problem, Duration after) {
        if (problem.reason().severity() == Severity.INFO
                || !problem.reason().eventSubjects().contains(SubjectKind.MACHINE_DEPLOYMENT)) {
            return;
        }
        recordEvent(
                inputs,
                machineDeployment,
                Reason.ProblemResolved.with(
                        "tenant", inputs.namespace(),
                        "kind", MachineDeploymentReader.KIND,
                        "name", machineDeployment.namespace() + "/" + machineDeployment.name(),
                        "reason", problem.reason().wireName(),
                        "duration", UnitFormatter.formatDuration(after)),
                Action.of(problem.reason()));
    }

    /** Records changes; a first publication has no Event. */
    void recordChanges(
            TenantInputs inputs,
            MachineDeployment machineDeployment,
            List<WriteResult.CompletedWrite> done,
            Duration after) {
        Map<String, Set<String>> rotated = new TreeMap<>();
        for (WriteResult.CompletedWrite one : done) {
            PlannedChange change = one.change();
            switch (change.reason().cause()) {
                case DRIFT -> recordRepair(inputs, machineDeployment, change, after);
                case CONTENT -> rotation(inputs, machineDeployment, one, rotated);
                case NEW_TOKEN -> recordNewToken(inputs, machineDeployment, change);
                case FIRST, REVISION, RENEWAL, REMOVAL -> {
                    // No Event.
                }
            }
        }
        rotated.forEach((because, names) -> recordEvent(
                inputs,
                machineDeployment,
                Reason.ConfigRotated.with(
                        "tenant", inputs.namespace(),
                        "md", machineDeployment.namespace() + "/" + machineDeployment.name(),
                        "because", because,
                        "names", String.join(", ", names),
                        "duration", UnitFormatter.formatDuration(after))));
    }

    private void rotation(
            TenantInputs inputs,
            MachineDeployment machineDeployment,
            WriteResult.CompletedWrite done,
            Map<String, Set<String>> rotated) {
        WriteTarget target = WriteTarget.of(done.change());
        if (!target.kind().equals("Secret")) {
            return;
        }
        rotated.computeIfAbsent(done.change().reason().explanation(), because -> new LinkedHashSet<>())
                .add(target.name());
        if (done.change() instanceof PlannedChange.ReplaceSecret replace
                && replace.found().immutable()) {
            recordEvent(
                    inputs,
                    machineDeployment,
                    Reason.ImmutableSecretReplaced.with(
                            "tenant", inputs.namespace(),
                            "secret", target.fullName(),
                            "duration", UnitFormatter.formatDuration(done.took())));
        }
    }

    private void recordRepair(
            TenantInputs inputs, MachineDeployment machineDeployment, PlannedChange change, Duration after) {
        WriteTarget target = WriteTarget.of(change);
        String writer = target.lastWriter();
        recordEvent(
                inputs,
                machineDeployment,
                Reason.DriftRepaired.with(
                        "tenant", inputs.namespace(),
                        "kind", target.kind(),
                        "name", target.fullName(),
                        "change", writer == null ? "removed" : "changed",
                        "manager", writer == null ? "an unknown writer" : writer,
                        "duration", UnitFormatter.formatDuration(after)));
    }

    private void recordNewToken(TenantInputs inputs, MachineDeployment machineDeployment, PlannedChange change) {
        if (change instanceof PlannedChange.CreateToken create) {
            String because = change.reason().explanation();
            int colon = because.indexOf(": ");
            recordEvent(
                    inputs,
                    machineDeployment,
                    Reason.BootstrapTokenReplaced.with(
                            "tenant", inputs.namespace(),
                            "token", create.object().name(),
                            "cause", colon < 0 ? because : because.substring(colon + 2)));
        }
    }

    /** Objects of deleted MachineDeployments were removed. */
    void recordLeftovers(TenantInputs inputs, List<PlannedChange> changes) {
        List<String> names = changes.stream()
                .map(change -> WriteTarget.of(change).toString())
                .toList();
        String list = String.join(", ", names.subList(0, Math.min(LONGEST_LIST, names.size())))
                + (names.size() > LONGEST_LIST ? " and more" : "");
        management.recordEvent(
                workerCluster(inputs),
                null,
                Reason.LeftoversRemoved.with(
                        "tenant", inputs.namespace(),
                        "wc", inputs.workerCluster(),
                        "n", Integer.toString(names.size()),
                        "names", list));
    }

    /** OSM's objects were adopted. */
    void recordAdoptions(TenantInputs inputs, AdoptionCounter.AdoptionCount count) {
        management.recordEvent(
                workerCluster(inputs),
                null,
                Reason.ObjectsAdopted.with(
                        "tenant", inputs.namespace(),
                        "wc", inputs.workerCluster(),
                        "n", Integer.toString(count.machineDeployments()),
                        "m", Integer.toString(count.unchanged()),
                        "k", Integer.toString(count.changed())));
    }

    private void recordEvent(TenantInputs inputs, MachineDeployment machineDeployment, ReasonMessage event) {
        recordEvent(inputs, machineDeployment, event, Action.of(event.reason()));
    }

    private void recordEvent(
            TenantInputs inputs, MachineDeployment machineDeployment, ReasonMessage event, Action action) {
        Regarding regarding = of(machineDeployment);
        worker.recordEvent(regarding, null, event, action);
        if (event.reason().severity() != Severity.INFO) {
            management.recordEvent(workerCluster(inputs), regarding, event, action);
        }
    }
}
