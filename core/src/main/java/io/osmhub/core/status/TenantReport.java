package io.osmhub.core.status;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Reason.SubjectKind;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.core.workercluster.WorkerClusterStatus.MachineDeploymentCounts;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
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
        public static final PauseCause SPEC = new PauseCause("spec.paused", "set it to false to resume");
        public static final PauseCause SECRET_MISSING = new PauseCause(
                "spec.kubeconfigSecretRef.name",
                "create the Secret again to resume, or delete the WorkerCluster to remove the tenant");
    }

    /**
     * Everything known about a tenant.
     *
     * @param namespace of the tenant
     * @param generation of the WorkerCluster
     * @param closing it is being removed
     * @param pause null if it is not paused
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
            ReasonMessage credentials,
            ReasonMessage connection,
            boolean readOnce,
            List<ReasonMessage> problems,
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

    /** Whether the Secret with the kubeconfig is missing, which pauses the tenant: its deletion may be a mistake. */
    public static boolean isSecretMissing(ReasonMessage credentials) {
        return credentials.reason() == Reason.KubeconfigSecretNotFound;
    }

    private record TenantReportBuilder(
            Input input, @Nullable WorkerClusterStatus before, OpenProblems open) {
        TenantReport build() {
            List<ReasonMessage> ofTenant = new ArrayList<>(ofTenant());
            ofTenant.sort(Comparator.comparing(problem -> problem.reason().severity()));
            List<Condition> conditions = conditions(ofTenant);
            OpenProblems problems = open.updatedWith(problems(ofTenant));
            if (!input.readOnce()) {
                problems = problems.mergedWith(open.unverifiedProblems(isConnecting()));
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
                    details.lastHandledRequest());
            return new TenantReport(status, problems);
        }

        /** Until an attempt to connect ends, the problem that it may solve stays open and keeps its start. */
        private boolean isConnecting() {
            return input.connection().reason() == Reason.Connecting
                    && status(input.credentials(), CREDENTIALS_VALID) != Status.FALSE
                    && input.pause() == null
                    && !input.closing();
        }

        private static @Nullable String time(@Nullable Instant time) {
            return time == null ? null : UnitFormatter.formatTime(time);
        }

        /** Settings problems, which every MachineDeployment reports, count once for the tenant. */
        private Set<ReasonMessage> ofTenant() {
            Set<ReasonMessage> problems = new LinkedHashSet<>(input.problems());
            for (MachineDeploymentReport report : input.machineDeployments()) {
                report.problems().stream()
                        .filter(TenantReportBuilder::isOfTenant)
                        .forEach(problems::add);
            }
            return problems;
        }

        /** Whether a problem is shown at the WorkerCluster and at no object of the MachineDeployment. */
        private static boolean isOfTenant(ReasonMessage problem) {
            boolean tenants = ConditionsBuilder.findStatus(problem.reason(), SubjectKind.WORKER_CLUSTER, SYNCED)
                    .isPresent();
            return tenants
                    && problem.reason().conditionTargets().stream()
                            .noneMatch(place -> place.subject() == SubjectKind.CONFIG);
        }

        private List<OpenProblems.ObjectProblem> problems(List<ReasonMessage> ofTenant) {
            List<OpenProblems.ObjectProblem> problems = new ArrayList<>();
            List<ReasonMessage> own = new ArrayList<>(List.of(input.credentials(), input.connection()));
            own.addAll(ofTenant);
            for (ReasonMessage problem : own) {
                problems.add(new OpenProblems.ObjectProblem(
                        "WorkerCluster", input.namespace(), input.workerCluster(), "", problem, start(problem)));
            }
            for (MachineDeploymentReport report : input.machineDeployments()) {
                for (ReasonMessage problem : report.problems()) {
                    if (!isOfTenant(problem)) {
                        problems.add(new OpenProblems.ObjectProblem(
                                "MachineDeployment",
                                report.namespace(),
                                report.name(),
                                report.profile(),
                                problem,
                                input.now()));
                    }
                }
            }
            return problems;
        }

        private List<Condition> conditions(List<ReasonMessage> ofTenant) {
            ConditionsBuilder conditions =
                    new ConditionsBuilder(before == null ? null : before.conditions(), input.generation(), input.now());
            conditions.add(CREDENTIALS_VALID, status(input.credentials(), CREDENTIALS_VALID), input.credentials());
            conditions.add(
                    CONNECTED, status(input.connection(), CONNECTED), input.connection(), start(input.connection()));
            ReasonMessage synced = synced(ofTenant);
            conditions.add(SYNCED, status(synced, SYNCED), synced, start(synced));
            return conditions.withReady(Reason.Serving.with(
                    "tenant", input.namespace(),
                    "wc", input.workerCluster(),
                    "n", current()));
        }

        /** An outage starts with the last answer, as its message states, although it is reported some attempts later. */
        private Instant start(ReasonMessage problem) {
            Instant lastAnswer = input.details().noAnswerSince();
            boolean outage = problem.equals(input.connection()) && status(problem, CONNECTED) == Status.FALSE;
            return outage && lastAnswer != null ? lastAnswer : input.now();
        }

        private static Status status(ReasonMessage diagnosis, String type) {
            return ConditionsBuilder.findStatus(diagnosis.reason(), SubjectKind.WORKER_CLUSTER, type)
                    .orElse(Status.UNKNOWN);
        }

        private ReasonMessage synced(List<ReasonMessage> ofTenant) {
            PauseCause pause = input.pause();
            if (pause != null) {
                Instant end = input.tokensEndFrom();
                String time = end == null ? "now" : UnitFormatter.formatTime(end);
                return Reason.Paused.with(
                        "tenant",
                        input.namespace(),
                        "wc",
                        input.workerCluster(),
                        "time",
                        time,
                        "field",
                        pause.field(),
                        "cure",
                        pause.equals(PauseCause.SPEC)
                                ? "resume it: hub cluster resume " + input.workerCluster() + " -n " + input.namespace()
                                : pause.cure());
            }
            if (!input.readOnce()) {
                Status connected = status(input.connection(), CONNECTED);
                if (connected == Status.FALSE) {
                    return input.connection();
                }
                if (connected == Status.UNKNOWN && status(input.credentials(), CREDENTIALS_VALID) == Status.FALSE) {
                    return input.credentials();
                }
                return Reason.InitialSyncPending.with("tenant", input.namespace(), "wc", input.workerCluster());
            }
            return ofTenant.stream()
                    .filter(problem -> status(problem, SYNCED) != Status.TRUE)
                    .filter(problem -> ConditionsBuilder.findStatus(
                                    problem.reason(), SubjectKind.WORKER_CLUSTER, SYNCED)
                            .isPresent())
                    .findFirst()
                    .orElseGet(this::ofMachineDeployments);
        }

        private ReasonMessage ofMachineDeployments() {
            List<MachineDeploymentReport> failing = new ArrayList<>();
            ReasonMessage first = null;
            for (MachineDeploymentReport report : input.machineDeployments()) {
                ReasonMessage error = report.problems().stream()
                        .filter(problem -> problem.reason().severity() == Severity.ERROR && !isOfTenant(problem))
                        .findFirst()
                        .orElse(null);
                if (error != null) {
                    first = first == null ? error : first;
                    failing.add(report);
                }
            }
            if (first == null) {
                return Reason.MachineDeploymentsCurrent.with(
                        "tenant", input.namespace(),
                        "wc", input.workerCluster(),
                        "n", current());
            }
            MachineDeploymentReport report = failing.getFirst();
            return Reason.MachineDeploymentsFailing.with(
                    "tenant", input.namespace(),
                    "wc", input.workerCluster(),
                    "n", String.valueOf(failing.size()),
                    "m", String.valueOf(input.machineDeployments().size()),
                    "md", report.namespace() + "/" + report.name(),
                    "reason", first.reason().wireName());
        }

        private String current() {
            return String.valueOf(input.machineDeployments().stream()
                    .filter(report -> report.newNodes() == NewNodes.CURRENT)
                    .count());
        }

        private MachineDeploymentCounts counts() {
            Map<NewNodes, Integer> counts = new EnumMap<>(NewNodes.class);
            input.machineDeployments().forEach(report -> counts.merge(report.newNodes(), 1, Integer::sum));
            return new MachineDeploymentCounts(
                    input.machineDeployments().size(),
                    counts.getOrDefault(NewNodes.CURRENT, 0),
                    counts.getOrDefault(NewNodes.AT_RISK, 0),
                    counts.getOrDefault(NewNodes.OUTDATED, 0),
                    counts.getOrDefault(NewNodes.BLOCKED, 0),
                    counts.getOrDefault(NewNodes.PENDING, 0));
        }

        /** The first that applies. */
        private State state(List<Condition> conditions) {
            if (input.closing()) {
                return State.CLOSED;
            }
            if (input.pause() != null) {
                return State.PAUSED;
            }
            Reason credentials = input.credentials().reason();
            Status connected = status(input.connection(), CONNECTED);
            boolean usable = credentials == Reason.PermissionsMissing
                    || credentials == Reason.NewCredentialsUnproven
                    // A tenant that was served before continues with the kubeconfig that was read.
                    || credentials == Reason.TenantPermissionsMissing && connected == Status.TRUE;
            if (status(input.credentials(), CREDENTIALS_VALID) == Status.FALSE && !usable) {
                return State.UNAUTHORIZED;
            }
            if (connected == Status.FALSE) {
                return State.UNREACHABLE;
            }
            if (connected == Status.UNKNOWN || !input.readOnce()) {
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
