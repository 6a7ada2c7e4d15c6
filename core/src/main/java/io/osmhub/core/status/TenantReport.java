package io.osmhub.core.status;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Command;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonDescription.SubjectKind;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.status.OpenProblems.ObjectProblem;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.core.workercluster.WorkerClusterStatus.MachineDeploymentCounts;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The report on a tenant.
 *
 * @param problems all open problems; the status lists the first of them
 */
public record TenantReport(WorkerClusterStatus status, OpenProblems problems) {
    private static final String CREDENTIALS_VALID = "CredentialsValid";
    private static final String CONNECTED = "Connected";
    private static final String SYNCED = "Synced";

    /**
     * Why a tenant is paused.
     *
     * @param field that pauses it, with its object unless that is the WorkerCluster
     * @param cure how to resume, one clause
     */
    public record PauseCause(String field, String cure) {
        public static final PauseCause SPEC = new PauseCause("spec.paused", "resume it");
        /** Its deletion may be a mistake. */
        private static final PauseCause SECRET_MISSING = new PauseCause(
                "spec.kubeconfigSecretRef.name",
                "create the Secret again to resume, or delete the WorkerCluster to remove the tenant");
    }

    /**
     * Everything known about a tenant.
     *
     * @param namespace of the tenant
     * @param generation of the WorkerCluster
     * @param closing it is being removed
     * @param pause null if it is not paused, or only because the Secret with the kubeconfig is missing
     * @param credentials its reason determines condition CredentialsValid
     * @param connection its reason determines condition Connected
     * @param readOnce whether all lists are complete and every MachineDeployment had its first run
     * @param problems of the tenant as a whole, apart from credentials and connection: settings, ownership, permissions
     * @param machineDeployments those with a profile
     * @param tokensEndFrom when the first bootstrap token expires if not extended; null without tokens
     */
    public record Input(
            String namespace,
            String workerCluster,
            long generation,
            boolean closing,
            @Nullable PauseCause pause,
            Problem credentials,
            Problem connection,
            boolean readOnce,
            List<Problem> problems,
            Collection<MachineDeploymentReport> machineDeployments,
            Details details,
            @Nullable Instant tokensEndFrom,
            Instant now) {
        public Input {
            problems = List.copyOf(problems);
            machineDeployments = List.copyOf(machineDeployments);
        }
    }

    /** Values that the status shows unchanged; null if unknown. */
    public record Details(
            @Nullable String endpoint,
            @Nullable String clusterId,
            @Nullable String kubernetesVersion,
            @Nullable CredentialsKind credentialsKind,
            @Nullable Instant credentialsExpireAt,
            List<String> missingPermissions,
            @Nullable Instant lastConnected,
            @Nullable Instant noAnswerSince,
            @Nullable Instant lastSync,
            @Nullable String lastHandledRequest) {
        public static final Details NONE = new Details(null, null, null, null, null, List.of(), null, null, null, null);

        public Details {
            missingPermissions = List.copyOf(missingPermissions);
        }
    }

    /**
     * Builds the report.
     *
     * @param before the stored status; null if none
     * @param open problems that were open until now
     */
    public static TenantReport of(Input input, @Nullable WorkerClusterStatus before, OpenProblems open) {
        return new TenantReportBuilder(input, before, open).build();
    }

    private static final class TenantReportBuilder {
        private final Input input;
        private final @Nullable WorkerClusterStatus previousStatus;
        private final OpenProblems open;
        private final Map<String, String> variables;
        private final Status credentialsStatus;
        private final Status connectedStatus;
        private final @Nullable Problem pauseProblem;

        TenantReportBuilder(Input input, @Nullable WorkerClusterStatus previousStatus, OpenProblems open) {
            this.input = input;
            this.previousStatus = previousStatus;
            this.open = open;
            this.variables = Map.of("tenant", input.namespace(), "wc", input.workerCluster());
            this.credentialsStatus = status(input.credentials(), CREDENTIALS_VALID);
            this.connectedStatus = status(input.connection(), CONNECTED);
            PauseCause cause = input.credentials().reason() == Reason.KubeconfigSecretNotFound
                    ? PauseCause.SECRET_MISSING
                    : input.pause();
            this.pauseProblem = cause == null ? null : paused(cause);
        }

        private Problem paused(PauseCause cause) {
            String end = time(input.tokensEndFrom());
            Problem paused = Reason.Paused.with(variables, "time", end == null ? "now" : end, "field", cause.field())
                    .withFix(cause.cure());
            return cause.equals(PauseCause.SPEC)
                    ? paused.withCommand(
                            Command.management("hub cluster resume {} -n {}", input.workerCluster(), input.namespace()))
                    : paused;
        }

        TenantReport build() {
            List<Problem> ofTenant = ofTenant();
            List<Condition> conditions = conditions(ofTenant);
            OpenProblems problems = open.updatedWith(problems(ofTenant));
            if (!input.readOnce()) {
                problems = problems.withUnverified(open, isConnecting());
            }
            Details details = input.details();
            WorkerClusterStatus status = new WorkerClusterStatus(
                    input.generation(),
                    conditions,
                    state(conditions),
                    details.endpoint(),
                    details.clusterId(),
                    details.kubernetesVersion(),
                    details.credentialsKind(),
                    time(details.credentialsExpireAt()),
                    NullableCollections.nullIfEmpty(details.missingPermissions()),
                    counts(),
                    problems.all().size(),
                    NullableCollections.nullIfEmpty(problems.statusEntries()),
                    time(details.lastConnected()),
                    time(details.noAnswerSince()),
                    time(details.lastSync()),
                    details.lastHandledRequest(),
                    pauseProblem == null ? null : StoredProblem.of(pauseProblem));
            return new TenantReport(status, problems);
        }

        /** Until an attempt to connect ends, the problem that it may solve stays open and keeps its start. */
        private boolean isConnecting() {
            return input.connection().reason() == Reason.Connecting
                    && credentialsStatus != Status.FALSE
                    && pauseProblem == null
                    && !input.closing();
        }

        private static @Nullable String time(@Nullable Instant time) {
            return time == null ? null : UnitFormatter.formatTime(time);
        }

        private static Status status(Problem diagnosis, String type) {
            return ConditionsBuilder.status(diagnosis.reason(), SubjectKind.WORKER_CLUSTER, type);
        }

        /** Worst first. Settings problems, which every MachineDeployment reports, count once for the tenant. */
        private List<Problem> ofTenant() {
            Stream<Problem> reported = input.machineDeployments().stream()
                    .flatMap(report -> report.problems().stream())
                    .filter(TenantReportBuilder::isOfTenant);
            return Stream.concat(input.problems().stream(), reported)
                    .distinct()
                    .sorted(Comparator.comparing(problem -> problem.reason().severity()))
                    .toList();
        }

        /** Whether a problem is shown at the WorkerCluster and at no object of the MachineDeployment. */
        private static boolean isOfTenant(Problem problem) {
            return isOfSynced(problem)
                    && problem.reason().description().conditionTargets().stream()
                            .noneMatch(place -> place.subject() == SubjectKind.CONFIG);
        }

        private static boolean isOfSynced(Problem problem) {
            return ConditionsBuilder.findStatus(problem.reason(), SubjectKind.WORKER_CLUSTER, SYNCED)
                    .isPresent();
        }

        private List<ObjectProblem> problems(List<Problem> ofTenant) {
            List<ObjectProblem> problems = new ArrayList<>();
            Stream.concat(Stream.of(input.credentials(), input.connection()), ofTenant.stream())
                    .map(problem -> new ObjectProblem(
                            "WorkerCluster", input.namespace(), input.workerCluster(), "", problem, start(problem)))
                    .forEach(problems::add);
            for (MachineDeploymentReport report : input.machineDeployments()) {
                report.problems().stream()
                        .filter(problem -> !isOfTenant(problem))
                        .map(problem -> new ObjectProblem(
                                "MachineDeployment",
                                report.namespace(),
                                report.name(),
                                report.profile(),
                                problem,
                                input.now()))
                        .forEach(problems::add);
            }
            return problems;
        }

        private List<Condition> conditions(List<Problem> ofTenant) {
            Problem synced = synced(ofTenant);
            return new ConditionsBuilder(
                            SubjectKind.WORKER_CLUSTER,
                            previousStatus == null ? null : previousStatus.conditions(),
                            input.generation(),
                            input.now())
                    .add(CREDENTIALS_VALID, input.credentials())
                    .add(CONNECTED, input.connection(), start(input.connection()))
                    .add(SYNCED, synced, start(synced))
                    .withReady(Reason.Serving.with(variables, "n", current()));
        }

        /** An outage starts with the last answer, as its message states, although it is reported some attempts later. */
        private Instant start(Problem problem) {
            Instant lastAnswer = input.details().noAnswerSince();
            boolean outage = problem.equals(input.connection()) && connectedStatus == Status.FALSE;
            return outage && lastAnswer != null ? lastAnswer : input.now();
        }

        private Problem synced(List<Problem> ofTenant) {
            if (pauseProblem != null) {
                return pauseProblem;
            }
            if (!input.readOnce()) {
                if (connectedStatus == Status.FALSE) {
                    return input.connection();
                }
                return connectedStatus == Status.UNKNOWN && credentialsStatus == Status.FALSE
                        ? input.credentials()
                        : Reason.InitialSyncPending.with(variables);
            }
            return ofTenant.stream()
                    .filter(problem -> isOfSynced(problem) && status(problem, SYNCED) != Status.TRUE)
                    .findFirst()
                    .orElseGet(this::ofMachineDeployments);
        }

        private Problem ofMachineDeployments() {
            List<MachineDeploymentReport> failing = input.machineDeployments().stream()
                    .filter(report -> error(report).isPresent())
                    .toList();
            if (failing.isEmpty()) {
                return Reason.MachineDeploymentsCurrent.with(variables, "n", current());
            }
            MachineDeploymentReport first = failing.getFirst();
            return Reason.MachineDeploymentsFailing.with(
                    variables,
                    "n",
                    String.valueOf(failing.size()),
                    "m",
                    String.valueOf(input.machineDeployments().size()),
                    "md",
                    first.namespace() + "/" + first.name(),
                    "reason",
                    error(first).orElseThrow().reason().wireName());
        }

        private static Optional<Problem> error(MachineDeploymentReport report) {
            return report.problems().stream()
                    .filter(problem -> problem.reason().severity() == Severity.ERROR && !isOfTenant(problem))
                    .findFirst();
        }

        private String current() {
            return String.valueOf(count(NewNodes.CURRENT));
        }

        private int count(NewNodes nodes) {
            return (int) input.machineDeployments().stream()
                    .filter(report -> report.newNodes() == nodes)
                    .count();
        }

        private MachineDeploymentCounts counts() {
            return new MachineDeploymentCounts(
                    input.machineDeployments().size(),
                    count(NewNodes.CURRENT),
                    count(NewNodes.AT_RISK),
                    count(NewNodes.OUTDATED),
                    count(NewNodes.BLOCKED),
                    count(NewNodes.PENDING));
        }

        /** The first that applies. */
        private State state(List<Condition> conditions) {
            if (input.closing()) {
                return State.CLOSED;
            }
            if (pauseProblem != null) {
                return State.PAUSED;
            }
            Reason reason = input.credentials().reason();
            boolean usable = reason == Reason.PermissionsMissing
                    || reason == Reason.NewCredentialsUnproven
                    // A tenant that was served before continues with the kubeconfig that was read.
                    || reason == Reason.TenantPermissionsMissing && connectedStatus == Status.TRUE;
            if (credentialsStatus == Status.FALSE && !usable) {
                return State.UNAUTHORIZED;
            }
            if (connectedStatus == Status.FALSE) {
                return State.UNREACHABLE;
            }
            if (connectedStatus == Status.UNKNOWN || !input.readOnce()) {
                return State.CONNECTING;
            }
            boolean degraded = usable
                    || input.connection().reason() == Reason.WorkerClusterDegraded
                    || input.connection().reason() == Reason.WorkerClusterThrottled
                    || !ConditionsBuilder.isTrue(conditions, SYNCED);
            return degraded ? State.DEGRADED : State.SYNCED;
        }
    }
}
