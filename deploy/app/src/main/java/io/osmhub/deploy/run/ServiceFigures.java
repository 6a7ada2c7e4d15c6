package io.osmhub.deploy.run;

import io.osmhub.api.ops.FleetFigures;
import io.osmhub.api.ops.HubMetrics;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.TenantView;
import io.osmhub.workersync.SyncStatus;
import java.time.Duration;
import java.time.Instant;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/** Figures that are counted when they are asked for, over all tenants. */
final class ServiceFigures {
    private static final double NANOS = 1e9;

    private final Foundation foundation;
    private final HubMetrics metrics;
    private final Served served;

    ServiceFigures(Foundation foundation, Served served) {
        this.foundation = foundation;
        this.metrics = foundation.metrics();
        this.served = served;
    }

    void register() {
        metrics.gauge(
                "osm_hub_queue_depth", "keys waiting", () -> foundation.queue().depth());
        metrics.gauge(
                "osm_hub_queue_oldest_seconds",
                "age of the oldest waiting key",
                () -> seconds(foundation.queue().oldest()));
        metrics.gauge(
                "osm_hub_event_loop_lag_seconds",
                "longest delay of an event loop in the last 15 s",
                () -> seconds(foundation.loops().lag()));
        metrics.gauge("osm_hub_open_connections", "connections to API servers", () -> foundation
                .clients()
                .openConnections());
        metrics.gauge("osm_hub_status_backlog", "statuses waiting to be written", served::statusBacklog);
        metrics.beforeScrape(this::count);
        foundation.loops().vertx().setPeriodic(FleetFigures.STEP.toMillis(), ignored -> metrics.figures()
                .sample(foundation.queue().depth(), foundation.queue().oldest()));
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS;
    }

    private void count() {
        Map<String, Integer> states = new LinkedHashMap<>();
        for (State state : State.values()) {
            states.put(word(state), 0);
        }
        Map<String, Integer> newNodes = new LinkedHashMap<>();
        for (NewNodes kind : NewNodes.values()) {
            newNodes.put(word(kind), 0);
        }
        Map<String, Integer> cached = new TreeMap<>(served.cached());
        Map<Reason, Integer> problems = new EnumMap<>(Reason.class);
        Instant firstEnd = null;
        for (TenantView tenant : served.tenants().tenants()) {
            State state = tenant.status().state();
            states.merge(word(state == null ? State.CONNECTING : state), 1, Integer::sum);
            tenant.problems().forEach(problem -> Reason.of(problem.reason())
                    .ifPresent(reason -> problems.merge(reason, 1, Integer::sum)));
            SyncStatus sync = tenant.sync();
            if (sync != null) {
                sync.newNodes().forEach((kind, number) -> newNodes.merge(word(kind), number, Integer::sum));
                sync.cached().forEach((resource, number) -> cached.merge(resource.plural(), number, Integer::sum));
                Instant end = sync.firstTokenEnd();
                firstEnd = firstEnd == null || end != null && end.isBefore(firstEnd) ? end : firstEnd;
            }
        }
        metrics.gauges("osm_hub_worker_clusters", "state", states);
        metrics.gauges("osm_hub_machine_deployments", "new_nodes", newNodes);
        metrics.gauges("osm_hub_cached_objects", "resource", cached);
        metrics.problems(problems);
        Map<String, Double> validity =
                firstEnd == null ? Map.of() : Map.of("bootstrap", seconds(Duration.between(Instant.now(), firstEnd)));
        metrics.gauges("osm_hub_bootstrap_token_min_validity_seconds", "kind", validity);
    }

    private static String word(Enum<?> value) {
        return value.name().toLowerCase(Locale.ROOT);
    }
}
