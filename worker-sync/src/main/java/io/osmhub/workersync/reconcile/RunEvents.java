package io.osmhub.workersync.reconcile;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonDescription.SubjectKind;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.status.UnitFormatter;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.port.EventRecorder.Action;
import io.osmhub.workersync.port.EventRecorder.Regarding;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.reconcile.RunReport.RunOutcome;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.write.WriteResult;
import io.osmhub.workersync.write.WriteTarget;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/**
 * Records Events: on the MachineDeployment in the worker cluster, and warnings also on the WorkerCluster in the management
 * cluster, for the platform operator.
 */
final class RunEvents implements RunListener {
    private static final int LONGEST_LIST = 5;

    private final EventRecorder workerEvents;
    private final EventRecorder managementEvents;
    private final Scheduler scheduler;
    /** Open problems that an earlier process recorded Events for. */
    private final Map<ObjectKey, Set<String>> reportedBefore;

    RunEvents(TenantContext tenantContext) {
        workerEvents = tenantContext.workerEvents();
        managementEvents = tenantContext.tenantPorts().managementEvents();
        scheduler = tenantContext.scheduler();
        reportedBefore = new ConcurrentHashMap<>(tenantContext.tenantPorts().problems().stream()
                .filter(problem -> MachineDeployment.KIND.equals(problem.kind()))
                .collect(Collectors.groupingBy(
                        problem -> new ObjectKey(String.valueOf(problem.namespace()), String.valueOf(problem.name())),
                        Collectors.mapping(
                                problem -> text(problem.reason(), problem.message()),
                                Collectors.toUnmodifiableSet()))));
    }

    /** What the Events of a run are about. */
    private record Subject(TenantInputs inputs, MachineDeployment machineDeployment) {
        String tenant() {
            return inputs.namespace();
        }

        String name() {
            return machineDeployment.namespace() + "/" + machineDeployment.name();
        }
    }

    @Override
    public void onRunEnded(RunReport report) {
        if (report.outcome() instanceof RunOutcome.NotFound) {
            reportedBefore.remove(report.request().key());
        } else if (report.outcome() instanceof RunOutcome.Decided decided) {
            Subject subject =
                    new Subject(report.request().inputs(), decided.facts().machineDeployment());
            recordChanges(subject, decided.written().completed(), report.sinceTrigger(decided.times()));
            if (report.previous() != null) {
                recordResolved(subject, report.previous(), decided.problems());
            }
            newProblems(report, decided).forEach(problem -> recordProblem(subject, problem));
        }
    }

    private void recordProblem(Subject subject, Problem problem) {
        List<SubjectKind> kinds = problem.reason().description().eventSubjects();
        if (kinds.contains(SubjectKind.MACHINE_DEPLOYMENT)) {
            recordEvent(subject, problem);
        } else if (kinds.contains(SubjectKind.WORKER_CLUSTER)) {
            managementEvents.recordEvent(workerCluster(subject.inputs()), null, problem);
        }
    }

    /** Problems without an Event from an earlier process, according to stored statuses; a recurring one is new. */
    private List<Problem> newProblems(RunReport report, RunOutcome.Decided decided) {
        ObjectKey key = report.request().key();
        Set<String> reported = new HashSet<>(reportedBefore.getOrDefault(key, Set.of()));
        StoredConfig config = decided.config();
        if (report.previous() == null && config != null && config.status() != null) {
            NullableCollections.stream(config.status().conditions())
                    .forEach(condition -> reported.add(text(condition.reason(), condition.message())));
        }
        reported.retainAll(decided.problems().stream().map(RunEvents::text).toList());
        if (reported.isEmpty()) {
            reportedBefore.remove(key);
        } else {
            reportedBefore.put(key, reported);
        }
        return decided.problems().stream()
                .filter(problem -> !reported.contains(text(problem)))
                .toList();
    }

    private static String text(Problem problem) {
        return text(problem.reason().wireName(), problem.message());
    }

    private static String text(String reason, String message) {
        return reason + ": " + message;
    }

    private void recordResolved(Subject subject, MachineDeploymentState previous, List<Problem> problems) {
        for (Problem resolved : previous.problems()) {
            Reason reason = resolved.reason();
            if (reason.severity() != Severity.INFO
                    && reason.description().eventSubjects().contains(SubjectKind.MACHINE_DEPLOYMENT)
                    && problems.stream().noneMatch(open -> open.reason() == reason)) {
                Problem event = Reason.ProblemResolved.with(
                        "tenant", subject.tenant(),
                        "kind", MachineDeployment.KIND,
                        "name", subject.name(),
                        "reason", reason.wireName(),
                        "duration", format(Duration.between(previous.since(), scheduler.now())));
                recordEvent(subject, event, Action.of(reason));
            }
        }
    }

    private static String format(Duration duration) {
        return UnitFormatter.formatDuration(duration);
    }

    /** Records changes; a first publication has no Event. */
    private void recordChanges(Subject subject, List<WriteResult.CompletedWrite> writes, Duration sinceTrigger) {
        Map<String, Set<String>> rotatedSecrets = new TreeMap<>();
        for (WriteResult.CompletedWrite write : writes) {
            ChangeReason reason = write.change().reason();
            WriteTarget target = WriteTarget.of(write.change());
            if (reason.cause() == ChangeReason.Cause.DRIFT) {
                recordRepair(subject, target, sinceTrigger);
            } else if (reason.cause() == ChangeReason.Cause.CONTENT && target.resource() == Resource.SECRETS) {
                rotatedSecrets
                        .computeIfAbsent(reason.explanation(), because -> new LinkedHashSet<>())
                        .add(target.key().name());
                if (write.change() instanceof PlannedChange.Replace replace
                        && replace.found() instanceof StoredSecret secret
                        && secret.immutable()) {
                    Problem event = Reason.ImmutableSecretReplaced.with(
                            "tenant", subject.tenant(),
                            "secret", target.key().toString(),
                            "duration", format(write.took()));
                    recordEvent(subject, event);
                }
            } else if (reason.cause() == ChangeReason.Cause.NEW_TOKEN
                    && write.change().createsToken()) {
                Problem event = Reason.BootstrapTokenReplaced.with(
                        "tenant", subject.tenant(),
                        "token", target.key().name(),
                        "cause", reason.explanation());
                recordEvent(subject, event);
            }
        }
        rotatedSecrets.forEach((because, names) -> {
            Problem event = Reason.ConfigRotated.with(
                    "tenant", subject.tenant(),
                    "md", subject.name(),
                    "because", because,
                    "names", String.join(", ", names),
                    "duration", format(sinceTrigger));
            recordEvent(subject, event);
        });
    }

    private void recordRepair(Subject subject, WriteTarget target, Duration sinceTrigger) {
        String writer = target.lastWriter();
        Problem event = Reason.DriftRepaired.with(
                "tenant", subject.tenant(),
                "kind", target.resource().kind(),
                "name", target.key().toString(),
                "change", writer == null ? "removed" : "changed",
                "manager", writer == null ? "an unknown writer" : writer,
                "duration", format(sinceTrigger));
        recordEvent(subject, event);
    }

    /** Objects of deleted MachineDeployments were removed. */
    void recordLeftovers(TenantInputs inputs, List<PlannedChange> changes) {
        String names = changes.stream()
                .limit(LONGEST_LIST)
                .map(change -> WriteTarget.of(change).toString())
                .collect(Collectors.joining(", "));
        String more = changes.size() > LONGEST_LIST ? " and more" : "";
        Problem event = Reason.LeftoversRemoved.with(
                inputs.variables(), "n", Integer.toString(changes.size()), "names", names + more);
        managementEvents.recordEvent(workerCluster(inputs), null, event);
    }

    /** OSM's objects were adopted. */
    void recordAdoptions(TenantInputs inputs, AdoptionCounter.AdoptionCount count) {
        Problem event = Reason.ObjectsAdopted.with(
                "tenant", inputs.namespace(),
                "wc", inputs.workerCluster(),
                "n", Integer.toString(count.machineDeployments()),
                "m", Integer.toString(count.unchanged()),
                "k", Integer.toString(count.changed()));
        managementEvents.recordEvent(workerCluster(inputs), null, event);
    }

    private void recordEvent(Subject subject, Problem event) {
        recordEvent(subject, event, Action.of(event.reason()));
    }

    private void recordEvent(Subject subject, Problem event, Action action) {
        MachineDeployment machineDeployment = subject.machineDeployment();
        Regarding regarding = new Regarding(
                MachineDeployment.API_VERSION,
                MachineDeployment.KIND,
                machineDeployment.namespace(),
                machineDeployment.name(),
                machineDeployment.uid());
        workerEvents.recordEvent(regarding, null, event, action);
        if (event.reason().severity() != Severity.INFO) {
            managementEvents.recordEvent(workerCluster(subject.inputs()), regarding, event, action);
        }
    }

    private static Regarding workerCluster(TenantInputs inputs) {
        return new Regarding(
                Resource.WORKER_CLUSTERS.apiVersion(),
                "WorkerCluster",
                inputs.namespace(),
                inputs.workerCluster(),
                null);
    }
}
