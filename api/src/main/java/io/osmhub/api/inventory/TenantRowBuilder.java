package io.osmhub.api.inventory;

import io.osmhub.api.inventory.LiveTenantValues.LiveMachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.core.status.Chain;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.time.Instant;
import java.util.ArrayList;
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
 * Derives the rows of one tenant from its stored WorkerCluster and OperatingSystemConfigs. For a tenant of this replica, adds
 * MachineDeployments without a configuration and problems beyond those listed in a status.
 */
final class TenantRowBuilder {
    private final WorkerClusterRecord record;
    private final MachineDeploymentRow.TenantContext place;
    private final Map<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentRow> deployments =
            new LinkedHashMap<>();
    private final Map<String, ProblemRow> problems = new LinkedHashMap<>();
    private final List<OpenProblem> open;
    /** The used profile of each MachineDeployment with a problem. */
    private final Map<MachineDeploymentRow.MachineDeploymentKey, String> used = new HashMap<>();

    private final Map<String, int[]> heldUp = new HashMap<>();

    TenantRowBuilder(WorkerClusterRecord record, Collection<ConfigRow> configs, LiveTenantCache live) {
        this.record = record;
        this.place = MachineDeploymentRow.TenantContext.of(
                record.namespace(),
                record.name(),
                record.head().labels(),
                hasCondition("Connected", Condition.Status.TRUE));
        this.open = openProblems(live);
        open.forEach(this::index);
        for (ConfigRow config : configs) {
            MachineDeploymentRow row = MachineDeploymentRow.of(place, config, usedProfile(config));
            deployments.put(row.key(), row);
        }
        addUnconfigured(live);
        open.stream().map(one -> problem(record, one)).forEach(problem -> problems.putIfAbsent(problem.id(), problem));
        configs.forEach(this::problemsOf);
        addPause();
        findCauses();
    }

    /** Each MachineDeployment shows and counts for one problem, so that the counts of causes add up. */
    private void findCauses() {
        List<ProblemRow> ofTenant = new ArrayList<>();
        Map<MachineDeploymentRow.MachineDeploymentKey, List<ProblemRow>> own = new HashMap<>();
        for (ProblemRow problem : problems.values()) {
            if (problem.subject().kind() == ProblemRow.Kind.MACHINE_DEPLOYMENT) {
                own.computeIfAbsent(key(problem.subject()), first -> new ArrayList<>())
                        .add(problem);
            } else {
                ofTenant.add(problem);
            }
        }
        Map<String, int[]> counts = new HashMap<>();
        for (Map.Entry<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentRow> entry :
                deployments.entrySet()) {
            MachineDeploymentRow row = entry.getValue();
            if (row.newNodes() != NewNodes.CURRENT) {
                List<ProblemRow> all = new ArrayList<>(own.getOrDefault(row.key(), List.of()));
                all.addAll(ofTenant);
                Chain.cause(all, ProblemRow::problem).ifPresent(cause -> {
                    counts.computeIfAbsent(cause.id(), first -> new int[NewNodes.values().length])[
                            row.newNodes().ordinal()]++;
                    String profile = cause.profile();
                    if (profile.contains("/")) {
                        count(heldUp, profile, row);
                    }
                    entry.setValue(row.with(
                            MachineDeploymentRow.RowCause.of(cause), profile.contains("/") ? profile : row.profile()));
                });
            }
        }
        counts.forEach(
                (id, affected) -> problems.computeIfPresent(id, (same, problem) -> problem.withCounts(affected)));
    }

    private MachineDeploymentRow.MachineDeploymentKey key(ProblemRow.ProblemSubject about) {
        return new MachineDeploymentRow.MachineDeploymentKey(record.namespace(), about.namespace(), about.name());
    }

    Map<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentRow> deployments() {
        return deployments;
    }

    Map<String, ProblemRow> problems() {
        return problems;
    }

    TenantRow row() {
        int[] counts = new int[NewNodes.values().length];
        Set<String> profiles = new HashSet<>();
        for (MachineDeploymentRow deployment : deployments.values()) {
            counts[deployment.newNodes().ordinal()]++;
            profiles.add(deployment.profile());
        }
        Set<Reason> reasons = EnumSet.noneOf(Reason.class);
        problems.values().forEach(problem -> reasons.add(problem.reason()));
        return TenantRow.of(record, counts, reasons, profiles);
    }

    private boolean hasCondition(String type, Condition.Status status) {
        Condition condition = condition(type);
        return condition != null && condition.status() == status;
    }

    private @Nullable Condition condition(String type) {
        WorkerClusterStatus status = record.status();
        return StatusParser.condition(status == null ? null : status.conditions(), type);
    }

    private String usedProfile(ConfigRow config) {
        return used.getOrDefault(
                new MachineDeploymentRow.MachineDeploymentKey(
                        record.namespace(), config.deploymentNamespace(), config.deploymentName()),
                config.usedProfile());
    }

    private void index(OpenProblem problem) {
        boolean ofDeployment = ProblemRow.Kind.MACHINE_DEPLOYMENT.word().equals(problem.kind());
        if (ofDeployment && problem.profile() != null) {
            used.put(
                    new MachineDeploymentRow.MachineDeploymentKey(
                            record.namespace(),
                            Objects.requireNonNullElse(problem.namespace(), ""),
                            Objects.requireNonNullElse(problem.name(), "")),
                    problem.profile());
        }
    }

    private List<OpenProblem> listedProblems() {
        WorkerClusterStatus status = record.status();
        return status == null || status.problems() == null ? List.of() : status.problems();
    }

    private void addUnconfigured(LiveTenantCache live) {
        for (OpenProblem problem : listedProblems()) {
            if (ProblemRow.Kind.MACHINE_DEPLOYMENT.word().equals(problem.kind()) && problem.name() != null) {
                String namespace = Objects.requireNonNullElse(problem.namespace(), "");
                add(
                        new MachineDeploymentRow.MachineDeploymentKey(record.namespace(), namespace, problem.name()),
                        NewNodes.BLOCKED,
                        Objects.requireNonNullElse(problem.profile(), ""));
            }
        }
        WorkerClusterStatus status = record.status();
        Integer total = status == null || status.machineDeployments() == null
                ? null
                : status.machineDeployments().total();
        if (total != null && total > deployments.size()) {
            live.deployments(record.namespace(), record.name()).forEach(this::add);
        }
    }

    private void add(MachineDeploymentRow.MachineDeploymentKey key, LiveMachineDeployment values) {
        if (values.newNodes() != null) {
            add(key, values.newNodes(), Objects.requireNonNullElse(values.profile(), ""));
        }
    }

    private void add(MachineDeploymentRow.MachineDeploymentKey key, NewNodes newNodes, String profile) {
        deployments.putIfAbsent(
                key, new MachineDeploymentRow(place, key.name(), key.namespace(), null, newNodes, null, profile));
    }

    // --- problems

    private List<OpenProblem> openProblems(LiveTenantCache live) {
        WorkerClusterStatus status = record.status();
        List<OpenProblem> listed = listedProblems();
        Integer count = status == null ? null : status.problemCount();
        LiveTenantValues values =
                count != null && count > listed.size() ? live.tenant(record.namespace(), record.name()) : null;
        return values == null || values.problems().isEmpty() ? listed : values.problems();
    }

    /** Without its MachineDeployments. */
    static ProblemRow problem(WorkerClusterRecord record, OpenProblem problem) {
        Instant since = Objects.requireNonNullElse(StatusParser.time(problem.since()), Instant.EPOCH);
        return ProblemRow.open(
                about(record, problem),
                problem.toProblem(scope(record)),
                Objects.requireNonNullElse(problem.profile(), ""),
                endpoint(record),
                since,
                new int[NewNodes.values().length]);
    }

    private static Problem.Scope scope(WorkerClusterRecord record) {
        return new Problem.Scope(record.namespace(), record.name());
    }

    private static String endpoint(WorkerClusterRecord record) {
        WorkerClusterStatus status = record.status();
        return status == null || status.endpoint() == null ? "" : status.endpoint();
    }

    private static ProblemRow.ProblemSubject about(WorkerClusterRecord record, OpenProblem problem) {
        boolean ofDeployment = ProblemRow.Kind.MACHINE_DEPLOYMENT.word().equals(problem.kind());
        return new ProblemRow.ProblemSubject(
                record.namespace(),
                record.name(),
                ofDeployment ? ProblemRow.Kind.MACHINE_DEPLOYMENT : ProblemRow.Kind.WORKER_CLUSTER,
                Objects.requireNonNullElse(problem.namespace(), ""),
                Objects.requireNonNullElse(problem.name(), record.name()));
    }

    /** A pause is wanted, but stops new nodes once tokens expire. Without its Secret, a tenant is paused by another problem. */
    private void addPause() {
        Condition condition = condition("Synced");
        if (condition == null
                || !condition.reason().equals(Reason.Paused.wireName())
                || problems.values().stream()
                        .anyMatch(problem -> problem.reason() == Reason.KubeconfigSecretNotFound)) {
            return;
        }
        ProblemRow pause = ProblemRow.open(
                new ProblemRow.ProblemSubject(
                        record.namespace(),
                        record.name(),
                        ProblemRow.Kind.WORKER_CLUSTER,
                        record.namespace(),
                        record.name()),
                StoredProblem.find(
                        Objects.requireNonNull(record.status()).pauses(),
                        Reason.Paused,
                        condition.message(),
                        scope(record)),
                "",
                endpoint(record),
                Objects.requireNonNullElse(StatusParser.time(condition.lastTransitionTime()), Instant.EPOCH),
                new int[NewNodes.values().length]);
        problems.putIfAbsent(pause.id(), pause);
    }

    private void problemsOf(ConfigRow config) {
        Chain.of(config.status(), place.connected()).problems().forEach((link, condition) -> {
            ProblemRow.ProblemSubject about = new ProblemRow.ProblemSubject(
                    record.namespace(),
                    record.name(),
                    ProblemRow.Kind.MACHINE_DEPLOYMENT,
                    config.deploymentNamespace(),
                    config.deploymentName());
            ProblemRow row = ProblemRow.open(
                    about,
                    StoredProblem.find(
                                    config.status() == null
                                            ? null
                                            : config.status().problems(),
                                    StatusParser.reason(condition.reason()),
                                    condition.message(),
                                    scope(record))
                            .atLink(link),
                    config.usedProfile(),
                    endpoint(record),
                    Objects.requireNonNullElse(StatusParser.time(condition.lastTransitionTime()), Instant.EPOCH),
                    new int[NewNodes.values().length]);
            problems.putIfAbsent(row.id(), row);
        });
    }

    /** MachineDeployments that a profile keeps from being current, published or not, by profile and state of new nodes. */
    Map<String, int[]> heldUp() {
        return heldUp;
    }

    /** Number of MachineDeployments by profile and state of new nodes: those that a preview of the profile renders. */
    Map<String, int[]> uses() {
        Map<String, int[]> uses = new HashMap<>();
        deployments.values().forEach(row -> count(uses, row.profile(), row));
        return uses;
    }

    private static void count(Map<String, int[]> counts, String profile, MachineDeploymentRow row) {
        if (!profile.isEmpty()) {
            counts.computeIfAbsent(profile, first -> new int[NewNodes.values().length])[
                    row.newNodes().ordinal()]++;
        }
    }
}
