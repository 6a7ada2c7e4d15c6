package io.osmhub.api.inventory;

import io.osmhub.api.ops.FleetFigures;
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

/** The fleet in numbers, and what explains most of what is wrong in it. */
final class Overview {
    private static final int MOST_CAUSES = 50;

    private final Collection<TenantRow> tenants;
    private final Collection<ProblemRow> problems;
    private final Live live;
    private final Replica replica;

    Overview(Collection<TenantRow> tenants, Collection<ProblemRow> problems, Live live, Replica replica) {
        this.tenants = tenants;
        this.problems = problems;
        this.live = live;
        this.replica = replica;
    }

    Summary summary(Sight sight) {
        Map<State, Integer> states = new EnumMap<>(State.class);
        Map<NewNodes, Integer> newNodes = new EnumMap<>(NewNodes.class);
        Instant firstEnd = null;
        for (TenantRow tenant : tenants) {
            if (sight.workerClusters().sees(tenant.namespace())) {
                states.merge(tenant.state(), 1, Integer::sum);
                Instant end = live.firstTokenEnd(tenant);
                firstEnd = firstEnd == null || end != null && end.isBefore(firstEnd) ? end : firstEnd;
            }
            if (sight.configurations().sees(tenant.namespace())) {
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
        // They count every tenant, so they are for who sees every tenant.
        FleetFigures figures = sight.all() ? replica.figures() : null;
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

    private static Summary.Publishes publishes(FleetFigures.Publishes figures) {
        boolean any = figures.count() > 0;
        return new Summary.Publishes(
                figures.count(),
                any ? Double.valueOf(figures.p50Milliseconds()) : null,
                any ? Double.valueOf(figures.p99Milliseconds()) : null,
                figures.ranges());
    }

    private static Summary.Queue queue(FleetFigures.Queue figures) {
        return new Summary.Queue(figures.depth(), figures.oldestSeconds());
    }

    private List<Summary.Cause> causes(Sight sight) {
        Map<Key, Group> groups = new LinkedHashMap<>();
        for (ProblemRow problem : problems) {
            if (problem.isSeenBy(sight)) {
                groups.computeIfAbsent(Key.of(problem), Group::new).add(problem);
            }
        }
        return groups.values().stream()
                .sorted(Group.WORST_FIRST)
                .limit(MOST_CAUSES)
                .map(Group::cause)
                .toList();
    }

    /** What is mended together: a profile once for all that use it, everything else by its reason. */
    private record Key(Reason reason, ProblemRow.@Nullable About object) {
        static Key of(ProblemRow problem) {
            boolean ofProfile = problem.about().kind() == ProblemRow.Kind.PROFILE;
            return new Key(problem.reason(), ofProfile ? problem.about() : null);
        }
    }

    /** Problems with one cause. */
    private static final class Group {
        static final Comparator<Group> WORST_FIRST = Comparator.comparingInt(
                        (Group group) -> -Harm.of(group.key.reason().severity()))
                .thenComparingInt(group -> -group.counts[NewNodes.BLOCKED.ordinal()])
                .thenComparingInt(group -> -group.counts[NewNodes.OUTDATED.ordinal()])
                .thenComparingInt(group -> -group.counts[NewNodes.AT_RISK.ordinal()])
                .thenComparingInt(group -> -group.tenants.size())
                .thenComparing(group -> group.since)
                .thenComparing(group -> group.key.reason());

        private final Key key;
        private final Set<String> tenants = new HashSet<>();
        private final Set<ProblemRow.About> objects = new HashSet<>();
        private final Set<String> messages = new HashSet<>();
        private final int[] counts = new int[NewNodes.values().length];
        private Instant since = Instant.MAX;

        Group(Key key) {
            this.key = key;
        }

        void add(ProblemRow problem) {
            ProblemRow.About about = problem.about();
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
                    objects.size() == 1 ? Entries.object(objects.iterator().next()) : null,
                    only == null ? inGeneral(reason) : only,
                    only == null ? Cure.inGeneral(reason) : Cure.of(reason, only),
                    tenants.size(),
                    counts[NewNodes.BLOCKED.ordinal()],
                    counts[NewNodes.OUTDATED.ordinal()],
                    counts[NewNodes.AT_RISK.ordinal()],
                    tenants.isEmpty() ? null : Collections.min(tenants),
                    since);
        }

        private static String inGeneral(Reason reason) {
            String set = reason.set();
            return Character.toUpperCase(set.charAt(0)) + set.substring(1);
        }
    }
}
