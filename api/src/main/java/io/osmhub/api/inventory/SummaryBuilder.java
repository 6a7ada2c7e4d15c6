package io.osmhub.api.inventory;

import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.schema.Summary;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Duration;
import java.time.Instant;
import java.util.Collection;
import java.util.Collections;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Builds the numbers of the fleet and the main causes of its problems. */
final class SummaryBuilder {
    private static final int MOST_CAUSES = 50;

    private final Collection<TenantRow> tenants;
    private final Collection<ProblemRow> problems;
    private final LocalTenantCache live;
    private final LocalReplica replica;

    SummaryBuilder(
            Collection<TenantRow> tenants,
            Collection<ProblemRow> problems,
            LocalTenantCache live,
            LocalReplica replica) {
        this.tenants = tenants;
        this.problems = problems;
        this.live = live;
        this.replica = replica;
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
        FleetStatistics figures = sight.includesAll() ? replica.figures() : null;
        return new Summary(
                states,
                newNodes,
                causes(sight),
                figures == null ? null : publishes(figures.publishes()),
                figures == null ? null : queue(figures.queue()),
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

    private static Summary.Queue queue(FleetStatistics.QueueStatistics figures) {
        return new Summary.Queue(figures.depth(), figures.oldestSeconds());
    }

    private List<Summary.Cause> causes(Visibility sight) {
        Map<CauseKey, CauseGroup> groups = new LinkedHashMap<>();
        for (ProblemRow problem : problems) {
            if (problem.isVisibleTo(sight)) {
                groups.computeIfAbsent(CauseKey.of(problem), CauseGroup::new).add(problem);
            }
        }
        return groups.values().stream()
                .sorted(CauseGroup.WORST_FIRST)
                .limit(MOST_CAUSES)
                .map(CauseGroup::cause)
                .toList();
    }

    /** Groups what one fix resolves: a profile for all its users, everything else by reason. */
    private record CauseKey(Reason reason, ProblemRow.@Nullable ProblemSubject object) {
        static CauseKey of(ProblemRow problem) {
            boolean ofProfile = problem.subject().kind() == ProblemRow.Kind.PROFILE;
            return new CauseKey(problem.reason(), ofProfile ? problem.subject() : null);
        }
    }

    /** Problems with a common cause. */
    private static final class CauseGroup {
        static final Comparator<CauseGroup> WORST_FIRST = Comparator.comparingInt((CauseGroup group) ->
                        -SeverityOrder.of(group.key.reason().severity()))
                .thenComparingInt(group -> -group.counts[NewNodes.BLOCKED.ordinal()])
                .thenComparingInt(group -> -group.counts[NewNodes.OUTDATED.ordinal()])
                .thenComparingInt(group -> -group.counts[NewNodes.AT_RISK.ordinal()])
                .thenComparingInt(group -> -group.tenants.size())
                .thenComparing(group -> group.since)
                .thenComparing(group -> group.key.reason());

        private final CauseKey key;
        private final Set<String> tenants = new HashSet<>();
        private final Set<ProblemRow.ProblemSubject> objects = new HashSet<>();
        private final Set<String> messages = new HashSet<>();
        private final int[] counts = new int[NewNodes.values().length];
        private Instant since = Instant.MAX;

        CauseGroup(CauseKey key) {
            this.key = key;
        }

        void add(ProblemRow problem) {
            ProblemRow.ProblemSubject about = problem.subject();
            if (about.kind() != ProblemRow.Kind.HUB) {
                tenants.add(
                        about.workerCluster().isEmpty()
                                ? about.tenant()
                                : about.tenant() + "/" + about.workerCluster());
            }
            objects.add(about);
            messages.add(problem.message());
            since = problem.since().isBefore(since) ? problem.since() : since;
            for (int i = 0; i < counts.length; i++) {
                counts[i] += problem.counts()[i];
            }
        }

        Summary.Cause cause() {
            Reason reason = key.reason();
            String only = messages.size() == 1 ? messages.iterator().next() : null;
            return new Summary.Cause(
                    reason,
                    reason.severity(),
                    reason.actor(),
                    objects.size() == 1
                            ? ProblemEntries.object(objects.iterator().next())
                            : null,
                    only == null ? inGeneral(reason) : only,
                    only == null ? ProblemEntries.fixInGeneral(reason) : ProblemEntries.fix(reason, only),
                    tenants.size(),
                    counts[NewNodes.BLOCKED.ordinal()],
                    counts[NewNodes.OUTDATED.ordinal()],
                    counts[NewNodes.AT_RISK.ordinal()],
                    tenants.isEmpty() ? null : Collections.min(tenants),
                    since);
        }

        private static String inGeneral(Reason reason) {
            String set = reason.setWhen();
            return Character.toUpperCase(set.charAt(0)) + set.substring(1);
        }
    }
}
