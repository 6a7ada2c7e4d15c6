package io.osmhub.deploy.run;

import io.osmhub.api.ops.FleetFigures;
import io.osmhub.api.ops.HubMetrics;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.tenancy.TenantView;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.IntSupplier;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Figures that are counted when they are asked for, over all tenants. */
final class ServiceFigures {
    private static final Logger LOG = LoggerFactory.getLogger(ServiceFigures.class);
    private static final double NANOS = 1e9;
    private static final long BETWEEN_LOOKS_MILLIS = 200;
    /** Milliseconds until the next look, for each second that has passed: the figure is right within a twentieth. */
    private static final double LATER = 50;

    /** Those in which a tenant still begins; in all others it is known how it stands. */
    private static final Set<State> BEGINNING = Set.of(State.CONNECTING);

    private final Foundation foundation;
    private final HubMetrics metrics;
    private final Served served;
    private final Leadership leadership;
    private final Supplier<List<Reason>> problems;
    private final IntSupplier tenantSeries;
    private final long started = System.nanoTime();
    /** Counted before each scrape. */
    private volatile int owned;

    private volatile double ready = Double.NaN;
    private volatile double synced = Double.NaN;

    /**
     * Figures that nobody asks for yet.
     *
     * @param problems open ones of the hub itself, at each moment
     * @param tenantSeries most series with a tenant's name, as it is at each moment; 0 for none
     */
    ServiceFigures(
            Foundation foundation,
            Served served,
            Leadership leadership,
            Supplier<List<Reason>> problems,
            IntSupplier tenantSeries) {
        this.foundation = foundation;
        this.metrics = foundation.metrics();
        this.served = served;
        this.leadership = leadership;
        this.problems = problems;
        this.tenantSeries = tenantSeries;
    }

    void register() {
        metrics.gauge("osm_hub_queue_depth", () -> foundation.queue().depth());
        metrics.gauge(
                "osm_hub_queue_oldest_seconds", () -> seconds(foundation.queue().oldest()));
        metrics.gauge(
                "osm_hub_event_loop_lag_seconds",
                () -> seconds(foundation.loops().lag()));
        metrics.gauge("osm_hub_open_connections", () -> foundation.clients().openConnections());
        metrics.gauge("osm_hub_status_backlog", served::statusBacklog);
        metrics.gauge("osm_hub_members", leadership::members);
        metrics.gauge("osm_hub_lease_age_seconds", () -> seconds(leadership.leaseAge()));
        metrics.gauge("osm_hub_owned_worker_clusters", () -> owned);
        String start = "osm_hub_start_seconds";
        metrics.gauge(start, () -> ready, "until", "ready");
        metrics.gauge(start, () -> synced, "until", "synced");
        metrics.beforeScrape(this::count);
        foundation.loops().vertx().setPeriodic(FleetFigures.STEP.toMillis(), ignored -> metrics.figures()
                .sample(foundation.queue().depth(), foundation.queue().oldest()));
        lookAgain(BETWEEN_LOOKS_MILLIS);
    }

    /** Looks at how the start goes until it is over; the longer it takes, the more rarely. */
    private void starting() {
        double now = (System.nanoTime() - started) / NANOS;
        boolean isReady = served.isReady();
        if (isReady && Double.isNaN(ready)) {
            ready = now;
        }
        if (isReady && served.tenants().tenants().stream().noneMatch(ServiceFigures::begins)) {
            synced = now;
            return;
        }
        lookAgain((long) Math.max(BETWEEN_LOOKS_MILLIS, now * LATER));
    }

    /** All tenants at a time are too much for an event loop. */
    private void lookAgain(long afterMillis) {
        foundation.loops().vertx().setTimer(afterMillis, ring -> {
            try {
                foundation.threads().execute(this::starting);
            } catch (RejectedExecutionException ended) {
                LOG.debug("The service ended before it had started");
            }
        });
    }

    private static boolean begins(TenantView tenant) {
        State state = tenant.status().state();
        return state == null || BEGINNING.contains(state);
    }

    private static double seconds(Duration duration) {
        return duration.toNanos() / NANOS;
    }

    private void count() {
        List<TenantView> tenants = served.tenants().tenants();
        owned = tenants.size();
        metrics.fleet(
                new HubMetrics.Fleet(tenants, served.cached(), problems.get(), Instant.now(), tenantSeries.getAsInt()));
        metrics.compiledProfiles(served.compiledProfiles());
    }
}
