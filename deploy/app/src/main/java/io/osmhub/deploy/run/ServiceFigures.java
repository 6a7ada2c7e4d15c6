package io.osmhub.deploy.run;

import io.osmhub.api.ops.FleetFigures;
import io.osmhub.api.ops.HubMetrics;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.TenantView;
import java.time.Duration;
import java.time.Instant;
import java.util.Set;
import java.util.function.IntSupplier;

/** Figures that are counted when they are asked for, over all tenants. */
final class ServiceFigures {
    private static final double NANOS = 1e9;
    private static final long BETWEEN_LOOKS_MILLIS = 200;
    /** Those in which a tenant still begins; in all others it is known how it stands. */
    private static final Set<State> BEGINNING = Set.of(State.CONNECTING);

    private final Foundation foundation;
    private final HubMetrics metrics;
    private final Served served;
    private final Leadership leadership;
    private final IntSupplier tenantSeries;
    private final long started = System.nanoTime();
    private volatile double ready = Double.NaN;
    private volatile double synced = Double.NaN;

    /** @param tenantSeries most series with a tenant's name, as it is at each moment; 0 for none */
    ServiceFigures(Foundation foundation, Served served, Leadership leadership, IntSupplier tenantSeries) {
        this.foundation = foundation;
        this.metrics = foundation.metrics();
        this.served = served;
        this.leadership = leadership;
        this.tenantSeries = tenantSeries;
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
        metrics.gauge("osm_hub_members", "live replicas, as this one sees it", leadership::members);
        metrics.gauge(
                "osm_hub_lease_age_seconds",
                "time since the own Lease was renewed",
                () -> seconds(leadership.leaseAge()));
        metrics.gauge("osm_hub_owned_worker_clusters", "tenants that this replica serves", () -> served.tenants()
                .tenants()
                .size());
        String start = "osm_hub_start_seconds";
        metrics.gauge(start, "from the start until it was so", () -> ready, "until", "ready");
        metrics.gauge(start, "from the start until it was so", () -> synced, "until", "synced");
        metrics.beforeScrape(this::count);
        foundation.loops().vertx().setPeriodic(FleetFigures.STEP.toMillis(), ignored -> metrics.figures()
                .sample(foundation.queue().depth(), foundation.queue().oldest()));
        foundation.loops().vertx().setPeriodic(BETWEEN_LOOKS_MILLIS, this::starting);
    }

    /** Looks at how the start goes until it is over. */
    private void starting(long timer) {
        double now = (System.nanoTime() - started) / NANOS;
        if (!served.isReady()) {
            return;
        }
        if (Double.isNaN(ready)) {
            ready = now;
        }
        if (served.tenants().tenants().stream().noneMatch(ServiceFigures::begins)) {
            synced = now;
            foundation.loops().vertx().cancelTimer(timer);
        }
    }

    private static boolean begins(TenantView tenant) {
        State state = tenant.status().state();
        return state == null || BEGINNING.contains(state);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS;
    }

    private void count() {
        metrics.fleet(new HubMetrics.Fleet(
                served.tenants().tenants(),
                served.cached(),
                served.problems(),
                Instant.now(),
                tenantSeries.getAsInt()));
        metrics.compiledProfiles(served.compiledProfiles());
    }
}
