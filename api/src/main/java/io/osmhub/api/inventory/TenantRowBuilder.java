package io.osmhub.api.inventory;

import io.osmhub.api.inventory.LiveTenantValues.LiveMachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.FirstBrokenLink;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
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
    private final @Nullable Condition trouble;
    private final Map<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentRow> deployments =
            new LinkedHashMap<>();
    private final Map<String, ProblemRow> problems = new LinkedHashMap<>();
    private final List<OpenProblem> open;
    /** Start of each open problem, the same wherever it is shown. */
    private final Map<ProblemKey, Instant> starts = new HashMap<>();
    /** The used profile of each MachineDeployment with a problem. */
    private final Map<MachineDeploymentRow.MachineDeploymentKey, String> used = new HashMap<>();

    private final Map<String, int[]> heldUp = new HashMap<>();

    /** @param namespace of the MachineDeployment; empty for a problem of the tenant, like its name */
    private record ProblemKey(String namespace, String name, Reason reason) {}

    TenantRowBuilder(WorkerClusterRecord record, Collection<ConfigRow> configs, LiveTenantCache live) {
        this.record = record;
        this.place = MachineDeploymentRow.TenantContext.of(
                record.namespace(), record.name(), record.head().labels());
        this.trouble = trouble();
        this.open = openProblems(live);
        open.forEach(this::index);
        for (ConfigRow config : configs) {
            MachineDeploymentRow row = row(config);
            deployments.put(row.key(), row);
        }
        addUnconfigured(live);
        open.stream().map(one -> problem(record, one)).forEach(problem -> problems.putIfAbsent(problem.id(), problem));
        configs.forEach(this::problemsOf);
        addPause();
        countAtFirstBrokenLink();
    }

    /** Each MachineDeployment counts for one problem, so that the counts of causes add up. */
    private void countAtFirstBrokenLink() {
        List<ProblemRow> ofTenant = new ArrayList<>();
        Map<MachineDeploymentRow.MachineDeploymentKey, List<ProblemRow>> own = new HashMap<>();
        for (ProblemRow problem : problems.values()) {
            if (problem.subject().kind() == ProblemRow.Kind.MACHINE_DEPLOYMENT) {
                own.computeIfAbsent(key(problem.subject()), first -> new ArrayList<>())
                        .add(problem);
            } else if (problem.reason() != Reason.MachineDeploymentsFailing) {
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
                FirstBrokenLink.cause(all).ifPresent(cause -> {
                    counts.computeIfAbsent(cause.id(), first -> new int[NewNodes.values().length])[
                            row.newNodes().ordinal()]++;
                    String profile = ProblemCause.profile(cause.subject(), cause.reason(), cause.message());
                    if (profile.contains("/")) {
                        count(heldUp, profile, row);
                        entry.setValue(row.withProfile(profile));
                    }
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

    /** The problem of the tenant as a whole; null if none. */
    private @Nullable Condition trouble() {
        WorkerClusterStatus status = record.status();
        List<Condition> conditions = status == null || status.conditions() == null ? List.of() : status.conditions();
        for (String type : List.of("CredentialsValid", "Connected", "Synced")) {
            Condition condition = StatusParser.condition(conditions, type);
            // A failed MachineDeployment implies nothing about the others.
            if (condition != null
                    && condition.status() == Condition.Status.FALSE
                    && !condition.reason().equals(Reason.MachineDeploymentsFailing.wireName())) {
                return condition;
            }
        }
        return null;
    }

    private MachineDeploymentRow row(ConfigRow config) {
        String profile = used.getOrDefault(
                new MachineDeploymentRow.MachineDeploymentKey(
                        record.namespace(), config.deploymentNamespace(), config.deploymentName()),
                config.usedProfile());
        Condition own = config.problem();
        if (own != null) {
            return MachineDeploymentRow.of(
                    place, config, own, start(config.deploymentNamespace(), config.deploymentName(), own), profile);
        }
        Condition ofTenant = config.newNodes() == NewNodes.CURRENT ? null : trouble;
        return MachineDeploymentRow.of(
                place, config, ofTenant, ofTenant == null ? null : start("", "", ofTenant), profile);
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
        Instant since = StatusParser.time(problem.since());
        if (since != null) {
            starts.put(
                    new ProblemKey(
                            ofDeployment ? Objects.requireNonNullElse(problem.namespace(), "") : "",
                            ofDeployment ? Objects.requireNonNullElse(problem.name(), "") : "",
                            StatusParser.reason(problem.reason())),
                    since);
        }
    }

    /** A condition keeps its time when its reason changes, so that it may have begun before its problem. */
    private @Nullable Instant start(String namespace, String name, Condition condition) {
        Instant known = starts.get(new ProblemKey(namespace, name, StatusParser.reason(condition.reason())));
        return known == null ? StatusParser.time(condition.lastTransitionTime()) : known;
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
                        StatusParser.reason(problem.reason()),
                        StatusParser.time(problem.since()),
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
        Reason reason = values.reason();
        if (values.newNodes() != null) {
            add(
                    key,
                    values.newNodes(),
                    reason,
                    reason == null
                            ? null
                            : starts.getOrDefault(new ProblemKey(key.namespace(), key.name(), reason), values.since()),
                    Objects.requireNonNullElse(values.profile(), ""));
        }
    }

    private void add(
            MachineDeploymentRow.MachineDeploymentKey key,
            NewNodes newNodes,
            @Nullable Reason reason,
            @Nullable Instant since,
            String profile) {
        deployments.putIfAbsent(
                key,
                new MachineDeploymentRow(place, key.name(), key.namespace(), null, newNodes, reason, since, profile));
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
                StatusParser.reason(problem.reason()),
                problem.message(),
                endpoint(record),
                since,
                new int[NewNodes.values().length]);
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
        Condition condition = trouble;
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
                Reason.Paused,
                condition.message(),
                endpoint(record),
                Objects.requireNonNullElse(StatusParser.time(condition.lastTransitionTime()), Instant.EPOCH),
                new int[NewNodes.values().length]);
        problems.putIfAbsent(pause.id(), pause);
    }

    private void problemsOf(ConfigRow config) {
        for (Condition condition : config.conditions()) {
            if (!condition.type().equals("Ready") && StatusParser.isProblem(condition)) {
                ProblemRow.ProblemSubject about = new ProblemRow.ProblemSubject(
                        record.namespace(),
                        record.name(),
                        ProblemRow.Kind.MACHINE_DEPLOYMENT,
                        config.deploymentNamespace(),
                        config.deploymentName());
                ProblemRow row = ProblemRow.open(
                        about,
                        StatusParser.reason(condition.reason()),
                        condition.message(),
                        endpoint(record),
                        Objects.requireNonNullElse(StatusParser.time(condition.lastTransitionTime()), Instant.EPOCH),
                        new int[NewNodes.values().length]);
                problems.putIfAbsent(row.id(), row);
            }
        }
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
