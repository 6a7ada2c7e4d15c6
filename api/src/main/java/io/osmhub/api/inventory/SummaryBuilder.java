package io.osmhub.api.inventory;

import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.Summary;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject.Cluster;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the numbers of the fleet and the main causes of its problems. */
final class SummaryBuilder {
    private static final int MOST_CAUSES = 50;

    private final Collection<TenantRow> tenants;
    private final Collection<ProblemRow> problems;
    private final LiveTenantCache live;
    private final LocalReplica replica;
    private final List<FleetStatistics.ReplicaStatistics> statistics;

    /** @param statistics of all replicas; empty if not recorded */
    SummaryBuilder(
            Collection<TenantRow> tenants,
            Collection<ProblemRow> problems,
            LiveTenantCache live,
            LocalReplica replica,
            List<FleetStatistics.ReplicaStatistics> statistics) {
        this.tenants = tenants;
        this.problems = problems;
        this.live = live;
        this.replica = replica;
        this.statistics = statistics;
    }

    Summary summary(Visibility sight) {
        Map<State, Integer> states = new EnumMap<>(State.class);
        Map<NewNodes, Integer> newNodes = new EnumMap<>(NewNodes.class);
        Instant firstEnd = null;
        for (TenantRow tenant : tenants) {
            if (sight.workerClusters().includes(tenant.namespace())) {
                states.merge(tenant.state(), 1, Integer::sum);
                Instant end = live.firstTokenEnd(tenant);
                firstEnd = firstEnd == null || end != null && end.isBefore(firstEnd) ? end : firstEnd;
            }
            if (sight.configurations().includes(tenant.namespace())) {
                for (NewNodes kind : NewNodes.values()) {
                    if (tenant.count(kind) > 0) {
                        newNodes.merge(kind, tenant.count(kind), Integer::sum);
                    }
                }
            }
        }
        Integer seconds = firstEnd == null
                ? null
                : Integer.valueOf(
                        (int) Duration.between(replica.now(), firstEnd).toSeconds());
        // These figures cover every tenant and require permission to view all of them.
        boolean shown = sight.includesAll() && !statistics.isEmpty();
        return new Summary(
                states,
                newNodes,
                causes(sight),
                shown ? publishes(FleetStatistics.publishes(statistics)) : null,
                shown ? queue() : null,
                seconds,
                null,
                replica.version());
    }

    private static Summary.Publishes publishes(FleetStatistics.PublishStatistics figures) {
        boolean any = figures.count() > 0;
        return new Summary.Publishes(
                figures.count(),
                any ? Double.valueOf(figures.p50Milliseconds()) : null,
                any ? Double.valueOf(figures.p99Milliseconds()) : null,
                figures.ranges());
    }

    private Summary.Queue queue() {
        return new Summary.Queue(
                statistics.stream()
                        .mapToInt(FleetStatistics.ReplicaStatistics::depth)
                        .sum(),
                statistics.stream()
                        .mapToDouble(FleetStatistics.ReplicaStatistics::oldestSeconds)
                        .max()
                        .orElse(0));
    }

    private List<Summary.Cause> causes(Visibility sight) {
        Map<String, CauseGroup> groups = new LinkedHashMap<>();
        for (ProblemRow problem : problems) {
            if (!problem.cause().isEmpty() && problem.isVisibleTo(sight)) {
                groups.computeIfAbsent(problem.cause(), id -> new CauseGroup()).add(problem);
            }
        }
        return groups.values().stream()
                .sorted(CauseGroup.WORST_FIRST)
                .limit(MOST_CAUSES)
                .map(CauseGroup::cause)
                .toList();
    }

    /** Problems with a common cause. */
    private static final class CauseGroup {
        private static final Comparator<ProblemRow> FIRST = Comparator.comparing(
                        (ProblemRow problem) -> problem.reason().severity())
                .thenComparing(ProblemRow::since)
                .thenComparing(problem -> problem.subject().kind())
                .thenComparing(problem -> problem.subject().tenant())
                .thenComparing(problem -> problem.subject().namespace())
                .thenComparing(problem -> problem.subject().name())
                .thenComparing(ProblemRow::reason);

        static final Comparator<CauseGroup> WORST_FIRST = Comparator.comparingInt((CauseGroup group) ->
                        -SeverityOrder.of(group.first().reason().severity()))
                .thenComparingInt(group -> -group.counts[NewNodes.BLOCKED.ordinal()])
                .thenComparingInt(group -> -group.counts[NewNodes.OUTDATED.ordinal()])
                .thenComparingInt(group -> -group.counts[NewNodes.AT_RISK.ordinal()])
                .thenComparingInt(group -> -group.tenants.size())
                .thenComparing(group -> group.since)
                .thenComparing(group -> group.first().cause());

        private final Set<String> tenants = new HashSet<>();
        private final List<ProblemRow> problems = new ArrayList<>();
        private final int[] counts = new int[NewNodes.values().length];
        private Instant since = Instant.MAX;
        private @Nullable ProblemRow firstProblem;

        void add(ProblemRow problem) {
            ProblemRow.ProblemSubject about = problem.subject();
            problems.add(problem);
            firstProblem = firstProblem == null || FIRST.compare(problem, firstProblem) < 0 ? problem : firstProblem;
            since = problem.since().isBefore(since) ? problem.since() : since;
            // A profile counts what its users count; its namespace is not a blocked tenant.
            if (about.kind() == ProblemRow.Kind.PROFILE) {
                return;
            }
            if (about.kind() != ProblemRow.Kind.HUB) {
                tenants.add(name(about));
            }
            for (int i = 0; i < counts.length; i++) {
                counts[i] += problem.counts()[i];
            }
        }

        private ProblemRow first() {
            return Objects.requireNonNull(firstProblem);
        }

        Summary.Cause cause() {
            ProblemRow shown = first();
            Problem problem = shown.problem();
            Reason reason = shown.reason();
            return new Summary.Cause(
                    shown.cause(),
                    reason,
                    reason.severity(),
                    problem.actor(),
                    object(shown),
                    problem.message(),
                    ProblemEntries.headline(problem),
                    problem.fix(),
                    ProblemEntries.command(problem),
                    ProblemEntries.commandCluster(problem),
                    tenants.size(),
                    counts[NewNodes.BLOCKED.ordinal()],
                    counts[NewNodes.OUTDATED.ordinal()],
                    counts[NewNodes.AT_RISK.ordinal()],
                    tenant(shown.subject()),
                    since);
        }

        /** The tenant whose fix is shown, else the first one; null without any. */
        private @Nullable String tenant(ProblemRow.ProblemSubject shown) {
            String own = name(shown);
            return tenants.contains(own) ? own : tenants.isEmpty() ? null : Collections.min(tenants);
        }

        private static String name(ProblemRow.ProblemSubject about) {
            return about.workerCluster().isEmpty() ? about.tenant() : about.tenant() + "/" + about.workerCluster();
        }

        /** The broken profile or extension, or the only object; null for several. */
        private @Nullable ObjectRef object(ProblemRow shown) {
            if (shown.problem().object().isExtension()) {
                return ProblemEntries.faulty(shown.subject(), shown.problem());
            }
            String profile = shown.profile();
            boolean ofProfile = shown.reason().category() == Category.PROFILE
                    || shown.reason() == Reason.UserDataTooLarge
                    || shown.reason() == Reason.ObjectTooLarge;
            if (ofProfile && profile.contains("/")) {
                int slash = profile.indexOf('/');
                return new ObjectRef(
                        Cluster.MANAGEMENT,
                        ProblemRow.Kind.PROFILE.word(),
                        profile.substring(0, slash),
                        profile.substring(slash + 1));
            }
            boolean one =
                    problems.stream().allMatch(problem -> problem.subject().equals(shown.subject()));
            return one ? ProblemEntries.object(shown.subject()) : null;
        }
    }
}
