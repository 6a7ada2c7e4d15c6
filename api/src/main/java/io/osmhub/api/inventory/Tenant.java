package io.osmhub.api.inventory;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.tenancy.TenantView;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import io.osmhub.workersync.reconcile.State;
import java.time.Instant;
import java.util.Collection;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one tenant gives: derived from its WorkerCluster and its OperatingSystemConfigs as they are stored. Of a tenant of
 * this replica, MachineDeployments without a configuration and problems beyond those that a status lists are added.
 */
final class Tenant {
    private final WorkerClusterRecord record;
    private final DeploymentRow.Place place;
    private final @Nullable Condition trouble;
    private final Map<DeploymentRow.Key, DeploymentRow> deployments = new LinkedHashMap<>();
    private final Map<String, ProblemRow> problems = new LinkedHashMap<>();

    /** @param known the place that earlier rows have; null without */
    Tenant(WorkerClusterRecord record, Collection<ConfigRow> configs, DeploymentRow.@Nullable Place known, Live live) {
        this.record = record;
        Map<String, String> labels = record.head().labels();
        this.place = known != null && known.same(record.name(), labels)
                ? known
                : DeploymentRow.Place.of(record.namespace(), record.name(), labels);
        this.trouble = trouble();
        for (ConfigRow config : configs) {
            DeploymentRow row = DeploymentRow.of(place, config, trouble);
            deployments.put(row.key(), row);
        }
        withoutConfig(live);
        List<ProblemRow> stored = storedProblems(live);
        stored.forEach(problem -> problems.putIfAbsent(problem.id(), problem));
        configs.forEach(this::problemsOf);
    }

    DeploymentRow.Place place() {
        return place;
    }

    Map<DeploymentRow.Key, DeploymentRow> deployments() {
        return deployments;
    }

    Map<String, ProblemRow> problems() {
        return problems;
    }

    TenantRow row() {
        int[] counts = new int[NewNodes.values().length];
        Set<String> profiles = new HashSet<>();
        for (DeploymentRow deployment : deployments.values()) {
            counts[deployment.newNodes().ordinal()]++;
            String profile = deployment.profile();
            if (profile != null) {
                profiles.add(profile);
            }
        }
        Set<Reason> reasons = EnumSet.noneOf(Reason.class);
        problems.values().forEach(problem -> reasons.add(problem.reason()));
        return TenantRow.of(record, counts, reasons, profiles);
    }

    /** What keeps the tenant as a whole from being well; null when nothing does. */
    private @Nullable Condition trouble() {
        WorkerClusterStatus status = record.status();
        List<Condition> conditions = status == null || status.conditions() == null ? List.of() : status.conditions();
        for (String type : List.of("CredentialsValid", "Connected", "Synced")) {
            Condition condition = Stored.condition(conditions, type);
            // That some MachineDeployment fails says nothing about the others.
            if (condition != null
                    && condition.status() == Condition.Status.FALSE
                    && !condition.reason().equals(Reason.MachineDeploymentsFailing.word())) {
                return condition;
            }
        }
        return null;
    }

    private List<OpenProblem> told() {
        WorkerClusterStatus status = record.status();
        return status == null || status.problems() == null ? List.of() : status.problems();
    }

    private void withoutConfig(Live live) {
        for (OpenProblem problem : told()) {
            if (ProblemRow.Kind.MACHINE_DEPLOYMENT.word().equals(problem.kind()) && problem.name() != null) {
                String namespace = Objects.requireNonNullElse(problem.namespace(), "");
                add(namespace, problem.name(), NewNodes.BLOCKED, Stored.reason(problem.reason()), problem.since());
            }
        }
        WorkerClusterStatus status = record.status();
        Integer total = status == null || status.machineDeployments() == null
                ? null
                : status.machineDeployments().total();
        if (total != null && total > deployments.size()) {
            live.deployments(record.namespace(), record.name()).forEach((key, state) -> add(key, state));
        }
    }

    private void add(DeploymentRow.Key key, State state) {
        Reason reason =
                state.problems().isEmpty() ? null : state.problems().getFirst().reason();
        deployments.putIfAbsent(
                key,
                new DeploymentRow(
                        place,
                        key.name(),
                        key.namespace(),
                        null,
                        state.newNodes(),
                        reason,
                        reason == null ? null : state.since()));
    }

    private void add(String namespace, String name, NewNodes newNodes, Reason reason, String since) {
        DeploymentRow row = new DeploymentRow(place, name, namespace, null, newNodes, reason, Stored.time(since));
        deployments.putIfAbsent(row.key(), row);
    }

    // Problems

    private List<ProblemRow> storedProblems(Live live) {
        WorkerClusterStatus status = record.status();
        List<OpenProblem> open = told();
        Integer count = status == null ? null : status.problemCount();
        if (count != null && count > open.size()) {
            TenantView view = live.tenant(record.namespace(), record.name());
            open = view == null ? open : view.problems();
        }
        return open.stream().map(this::problem).toList();
    }

    private ProblemRow problem(OpenProblem problem) {
        ProblemRow.About about = about(record, problem);
        boolean ofDeployment = about.kind() == ProblemRow.Kind.MACHINE_DEPLOYMENT;
        return problem(record, problem, ofDeployment ? ofOne(about) : ofMany(Stored.reason(problem.reason())));
    }

    static ProblemRow problem(WorkerClusterRecord record, OpenProblem problem, int[] counts) {
        Instant since = Objects.requireNonNullElse(Stored.time(problem.since()), Instant.EPOCH);
        return ProblemRow.open(
                about(record, problem), Stored.reason(problem.reason()), problem.message(), since, counts);
    }

    private static ProblemRow.About about(WorkerClusterRecord record, OpenProblem problem) {
        boolean ofDeployment = ProblemRow.Kind.MACHINE_DEPLOYMENT.word().equals(problem.kind());
        return new ProblemRow.About(
                record.namespace(),
                record.name(),
                ofDeployment ? ProblemRow.Kind.MACHINE_DEPLOYMENT : ProblemRow.Kind.WORKER_CLUSTER,
                Objects.requireNonNullElse(problem.namespace(), ""),
                Objects.requireNonNullElse(problem.name(), record.name()));
    }

    private void problemsOf(ConfigRow config) {
        for (Condition condition : config.conditions()) {
            if (!condition.type().equals("Ready") && Stored.isProblem(condition)) {
                ProblemRow.About about = new ProblemRow.About(
                        record.namespace(),
                        record.name(),
                        ProblemRow.Kind.MACHINE_DEPLOYMENT,
                        config.deploymentNamespace(),
                        config.deploymentName());
                ProblemRow row = ProblemRow.open(
                        about,
                        Stored.reason(condition.reason()),
                        condition.message(),
                        Objects.requireNonNullElse(Stored.time(condition.lastTransitionTime()), Instant.EPOCH),
                        ofOne(about));
                problems.putIfAbsent(row.id(), row);
            }
        }
    }

    private int[] ofOne(ProblemRow.About about) {
        int[] counts = new int[NewNodes.values().length];
        DeploymentRow row = deployments.get(new DeploymentRow.Key(record.namespace(), about.namespace(), about.name()));
        if (row != null) {
            counts[row.newNodes().ordinal()] = 1;
        }
        return counts;
    }

    /** A problem of the whole tenant holds up those MachineDeployments that have none of their own. */
    private int[] ofMany(Reason reason) {
        int[] counts = new int[NewNodes.values().length];
        boolean holdsUp = reason.severity() == Severity.ERROR || trouble != null;
        for (DeploymentRow row : deployments.values()) {
            boolean own = row.config() != null && row.config().problem() != null || row.config() == null;
            if (holdsUp && !own && row.newNodes() != NewNodes.CURRENT) {
                counts[row.newNodes().ordinal()]++;
            }
        }
        return counts;
    }

    /** MachineDeployments by profile and by what happens to a new node. */
    Map<String, int[]> uses() {
        Map<String, int[]> uses = new HashMap<>();
        for (DeploymentRow row : deployments.values()) {
            String profile = row.profile();
            if (profile != null) {
                uses.computeIfAbsent(profile, first -> new int[NewNodes.values().length])[
                        row.newNodes().ordinal()]++;
            }
        }
        return uses;
    }
}
