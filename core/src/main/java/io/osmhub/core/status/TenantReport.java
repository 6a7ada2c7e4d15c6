package io.osmhub.core.status;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.problem.Subject;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.Condition.Status;
import io.osmhub.core.resource.Copies;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.CredentialsKind;
import io.osmhub.core.workercluster.WorkerClusterStatus.MachineDeploymentCounts;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * What is told of a tenant.
 *
 * @param problems all that are open; the status lists the first of them
 */
public record TenantReport(WorkerClusterStatus status, OpenProblems problems) {
    private static final String CREDENTIALS_VALID = "CredentialsValid";
    private static final String CONNECTED = "Connected";
    private static final String SYNCED = "Synced";

    /**
     * What is known of a tenant.
     *
     * @param namespace of the tenant
     * @param generation of the WorkerCluster
     * @param closing it is being removed
     * @param paused {@code spec.paused}, or the Secret with the kubeconfig is missing
     * @param credentials says by its reason whether CredentialsValid holds
     * @param connection says by its reason whether Connected holds
     * @param readOnce whether all lists are complete and every MachineDeployment had its first run
     * @param problems of the tenant as a whole, beside those of credentials and connection: settings, ownership, permissions
     * @param machineDeployments those with a profile
     * @param tokensEndFrom when the first bootstrap token ends if nobody extends it; null without tokens
     */
    public record Input(
            String namespace,
            String workerCluster,
            long generation,
            boolean closing,
            boolean paused,
            Diagnosis credentials,
            Diagnosis connection,
            boolean readOnce,
            List<Diagnosis> problems,
            Collection<Report> machineDeployments,
            Details details,
            @Nullable Instant tokensEndFrom,
            Instant now) {
        public Input {
            problems = List.copyOf(problems);
            machineDeployments = List.copyOf(machineDeployments);
        }
    }

    /** What a status shows as it is; null where it is not known. */
    public record Details(
            @Nullable String endpoint,
            @Nullable String clusterId,
            @Nullable String kubernetesVersion,
            @Nullable CredentialsKind credentialsKind,
            @Nullable Instant credentialsExpireAt,
            List<String> missingPermissions,
            @Nullable Instant lastConnected,
            @Nullable Instant lastSync,
            @Nullable String lastHandledRequest) {
        public static final Details NONE = new Details(null, null, null, null, null, List.of(), null, null, null);

        public Details {
            missingPermissions = List.copyOf(missingPermissions);
        }
    }

    /**
     * Says how things stand.
     *
     * @param before the status that is stored; null without
     * @param open problems that were open until now
     */
    public static TenantReport of(Input input, @Nullable WorkerClusterStatus before, OpenProblems open) {
        return new Work(input, before, open).report();
    }

    /** Whether there is no Secret with the kubeconfig, which pauses the tenant: a deletion may be a mistake. */
    public static boolean isWithoutSecret(Diagnosis credentials) {
        return credentials.reason() == Reason.KubeconfigSecretNotFound;
    }

    private record Work(Input input, @Nullable WorkerClusterStatus before, OpenProblems open) {
        TenantReport report() {
            List<Diagnosis> ofTenant = new ArrayList<>(ofTenant());
            ofTenant.sort(Comparator.comparing(problem -> problem.reason().severity()));
            List<Condition> conditions = conditions(ofTenant);
            OpenProblems problems = open.next(problems(ofTenant), input.now());
            if (!input.readOnce()) {
                problems = problems.with(open.unread());
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
                    Copies.nullIfEmpty(details.missingPermissions()),
                    counts(),
                    problems.all().size(),
                    Copies.nullIfEmpty(problems.first()),
                    time(details.lastConnected()),
                    time(details.lastSync()),
                    details.lastHandledRequest());
            return new TenantReport(status, problems);
        }

        private static @Nullable String time(@Nullable Instant time) {
            return time == null ? null : Wording.time(time);
        }

        /** Each MachineDeployment tells the problems of the settings, too: they are the tenant's, and one. */
        private Set<Diagnosis> ofTenant() {
            Set<Diagnosis> problems = new LinkedHashSet<>(input.problems());
            for (Report report : input.machineDeployments()) {
                report.problems().stream().filter(Work::isOfTenant).forEach(problems::add);
            }
            return problems;
        }

        /** Shown at the WorkerCluster and not at an object of the MachineDeployment. */
        private static boolean isOfTenant(Diagnosis problem) {
            boolean tenants = Conditions.statusBy(problem.reason(), Subject.WORKER_CLUSTER, SYNCED)
                    .isPresent();
            return tenants && problem.reason().places().stream().noneMatch(place -> place.subject() == Subject.CONFIG);
        }

        private List<OpenProblems.About> problems(List<Diagnosis> ofTenant) {
            List<OpenProblems.About> problems = new ArrayList<>();
            List<Diagnosis> own = new ArrayList<>(List.of(input.credentials(), input.connection()));
            own.addAll(ofTenant);
            for (Diagnosis problem : own) {
                problems.add(
                        new OpenProblems.About("WorkerCluster", input.namespace(), input.workerCluster(), problem));
            }
            for (Report report : input.machineDeployments()) {
                for (Diagnosis problem : report.problems()) {
                    if (!isOfTenant(problem)) {
                        problems.add(new OpenProblems.About(
                                "MachineDeployment", report.namespace(), report.name(), problem));
                    }
                }
            }
            return problems;
        }

        private List<Condition> conditions(List<Diagnosis> ofTenant) {
            Conditions conditions =
                    new Conditions(before == null ? null : before.conditions(), input.generation(), input.now());
            conditions.add(CREDENTIALS_VALID, status(input.credentials(), CREDENTIALS_VALID), input.credentials());
            conditions.add(CONNECTED, status(input.connection(), CONNECTED), input.connection());
            Diagnosis synced = synced(ofTenant);
            conditions.add(SYNCED, status(synced, SYNCED), synced);
            return conditions.withReady(diagnosis(Reason.Serving, Map.of("n", current())));
        }

        private static Status status(Diagnosis diagnosis, String type) {
            return Conditions.statusBy(diagnosis.reason(), Subject.WORKER_CLUSTER, type)
                    .orElse(Status.UNKNOWN);
        }

        private Diagnosis synced(List<Diagnosis> ofTenant) {
            if (input.paused()) {
                Instant end = input.tokensEndFrom();
                String time = end == null ? "now" : Wording.time(end);
                return diagnosis(
                        Reason.Paused,
                        isWithoutSecret(input.credentials())
                                ? Map.of(
                                        "time", time,
                                        "field", "spec.kubeconfigSecretRef.name",
                                        "cure",
                                                "create the Secret again to go on, or delete the WorkerCluster to remove the tenant")
                                : Map.of("time", time, "field", "spec.paused", "cure", "set it to false to go on"));
            }
            if (!input.readOnce()) {
                return diagnosis(Reason.InitialSyncPending, Map.of());
            }
            return ofTenant.stream()
                    .filter(problem -> status(problem, SYNCED) != Status.TRUE)
                    .filter(problem -> Conditions.statusBy(problem.reason(), Subject.WORKER_CLUSTER, SYNCED)
                            .isPresent())
                    .findFirst()
                    .orElseGet(this::ofMachineDeployments);
        }

        private Diagnosis ofMachineDeployments() {
            List<Report> failing = new ArrayList<>();
            Diagnosis first = null;
            for (Report report : input.machineDeployments()) {
                Diagnosis error = report.problems().stream()
                        .filter(problem -> problem.reason().severity() == Severity.ERROR && !isOfTenant(problem))
                        .findFirst()
                        .orElse(null);
                if (error != null) {
                    first = first == null ? error : first;
                    failing.add(report);
                }
            }
            if (first == null) {
                return diagnosis(Reason.MachineDeploymentsCurrent, Map.of("n", current()));
            }
            Report report = failing.getFirst();
            return diagnosis(
                    Reason.MachineDeploymentsFailing,
                    Map.of(
                            "n", String.valueOf(failing.size()),
                            "m", String.valueOf(input.machineDeployments().size()),
                            "md", report.namespace() + "/" + report.name(),
                            "reason", first.reason().word()));
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

        /** First that applies. */
        private State state(List<Condition> conditions) {
            if (input.closing()) {
                return State.CLOSED;
            }
            if (input.paused()) {
                return State.PAUSED;
            }
            Reason credentials = input.credentials().reason();
            boolean usable = credentials == Reason.PermissionsMissing || credentials == Reason.NewCredentialsUnproven;
            if (status(input.credentials(), CREDENTIALS_VALID) == Status.FALSE && !usable) {
                return State.UNAUTHORIZED;
            }
            Status connected = status(input.connection(), CONNECTED);
            if (connected == Status.FALSE) {
                return State.UNREACHABLE;
            }
            if (connected == Status.UNKNOWN || !input.readOnce()) {
                return State.CONNECTING;
            }
            boolean degraded = usable
                    || input.connection().reason() == Reason.WorkerClusterDegraded
                    || input.connection().reason() == Reason.WorkerClusterThrottled
                    || !Conditions.holds(conditions, SYNCED);
            return degraded ? State.DEGRADED : State.SYNCED;
        }

        private Diagnosis diagnosis(Reason reason, Map<String, String> values) {
            Map<String, String> all = new HashMap<>(values);
            all.put("tenant", input.namespace());
            all.put("wc", input.workerCluster());
            return new Diagnosis(reason, Message.of(reason, all));
        }
    }
}
