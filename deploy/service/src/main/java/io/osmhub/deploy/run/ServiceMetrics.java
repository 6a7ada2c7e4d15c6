package io.osmhub.deploy.run;

import io.osmhub.api.ops.FleetStatistics;
import io.osmhub.api.ops.HubMetrics;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.Hub;
import io.osmhub.tenancy.TenantView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.function.IntSupplier;
import java.util.function.Supplier;

/** Gauges over all tenants, computed when scraped. */
final class ServiceMetrics {
    private static final double NANOS = 1e9;
    private static final long POLL_MILLIS = 200;
    /** Milliseconds until the next check, per second passed: accurate to a twentieth. */
    private static final double LATER = 50;

    /** States of a starting tenant; in all others the outcome is known. */
    private static final Set<State> BEGINNING = Set.of(State.CONNECTING);

    private final ServiceRuntime runtime;
    private final HubMetrics metrics;
    private final Hub hub;
    private final Leadership leadership;
    private final Supplier<List<Problem>> problems;
    private final IntSupplier tenantSeries;
    private final long started = System.nanoTime();
    /** Updated before each scrape. */
    private volatile int owned;

    private volatile double ready = Double.NaN;
    private volatile double synced = Double.NaN;

    /**
     * Does not register the gauges.
     *
     * @param problems currently open problems of the hub itself
     * @param tenantSeries current maximum number of per-tenant series; 0 for none
     */
    ServiceMetrics(
            ServiceRuntime runtime,
            Hub hub,
            Leadership leadership,
            Supplier<List<Problem>> problems,
            IntSupplier tenantSeries) {
        this.runtime = runtime;
        this.metrics = runtime.metrics();
        this.hub = hub;
        this.leadership = leadership;
        this.problems = problems;
        this.tenantSeries = tenantSeries;
    }

    void register() {
        metrics.gauge("osm_hub_queue_depth", () -> runtime.queue().depth());
        metrics.gauge(
                "osm_hub_queue_oldest_seconds", () -> seconds(runtime.queue().oldestWaiting()));
        metrics.gauge(
                "osm_hub_event_loop_lag_seconds", () -> seconds(runtime.loops().lag()));
        metrics.gauge("osm_hub_open_connections", () -> runtime.clients().openConnections());
        metrics.gauge("osm_hub_status_backlog", hub::statusBacklog);
        metrics.gauge("osm_hub_members", leadership::liveReplicas);
        metrics.gauge("osm_hub_lease_age_seconds", () -> seconds(leadership.leaseAge()));
        metrics.gauge("osm_hub_owned_worker_clusters", () -> owned);
        String start = "osm_hub_start_seconds";
        metrics.gauge(start, () -> ready, "until", "ready");
        metrics.gauge(start, () -> synced, "until", "synced");
        metrics.beforeScrape(this::count);
        runtime.loops().vertx().setPeriodic(FleetStatistics.STEP.toMillis(), ignored -> metrics.statistics()
                .startSample(runtime.queue().depth(), runtime.queue().oldestWaiting()));
        scheduleRefresh(POLL_MILLIS);
    }

    /** Polls the start until it completes, with growing intervals. */
    private void starting() {
        double now = (System.nanoTime() - started) / NANOS;
        boolean isReady = hub.isReady();
        if (isReady && Double.isNaN(ready)) {
            ready = now;
        }
        if (isReady && hub.tenants().stream().noneMatch(ServiceMetrics::isStarting)) {
            synced = now;
            return;
        }
        scheduleRefresh((long) Math.max(POLL_MILLIS, now * LATER));
    }

    /** Iterating over all tenants would block an event loop. */
    private void scheduleRefresh(long afterMillis) {
        runtime.loops().vertx().setTimer(afterMillis, ring -> runtime.runtimeContext()
                .blockingExecutor()
                .execute(this::starting));
    }

    private static boolean isStarting(TenantView tenant) {
        State state = tenant.status().state();
        return state == null || BEGINNING.contains(state);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS;
    }

    private void count() {
        List<TenantView> tenants = hub.tenants();
        owned = tenants.size();
        metrics.updateFleet(new HubMetrics.FleetSnapshot(
                tenants, hub.cached(), problems.get(), Instant.now(), tenantSeries.getAsInt()));
        metrics.compiledProfiles(hub.compiledProfiles());
        metrics.extensions(hub.extensions(), hub.extendedMachineDeployments());
    }
}
