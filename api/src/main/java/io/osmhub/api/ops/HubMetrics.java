package io.osmhub.api.ops;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.DistributionSummary;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MultiGauge;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import io.micrometer.core.instrument.binder.jvm.JvmGcMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmMemoryMetrics;
import io.micrometer.core.instrument.binder.jvm.JvmThreadMetrics;
import io.micrometer.core.instrument.binder.system.FileDescriptorMetrics;
import io.micrometer.core.instrument.binder.system.ProcessorMetrics;
import io.micrometer.core.instrument.binder.system.UptimeMetrics;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import io.osmhub.api.access.ReviewMeter;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.connection.WorkerConnections;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.port.SyncObserver;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import org.jspecify.annotations.Nullable;

/**
 * What the hub measures, under the names of docs/metrics.md. Labels have few and fixed values; no tenant, object or user is one.
 * Safe for use by many threads.
 */
public final class HubMetrics {
    private static final Duration[] SECONDS = Arrays.stream(
                    new long[] {1, 2, 5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000, 30_000, 60_000})
            .mapToObj(Duration::ofMillis)
            .toArray(Duration[]::new);
    private static final double[] BYTES = {
        1_024, 2_048, 4_096, 8_192, 12_288, 16_384, 32_768, 65_536, 262_144, 1_048_576
    };

    private final PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
    /** The registry builds an identity for each look-up; these are asked for with every request. */
    private final Map<String, Counter> counters = new ConcurrentHashMap<>();

    private final Map<String, Timer> timers = new ConcurrentHashMap<>();
    private final Map<String, MultiGauge> gauges = new ConcurrentHashMap<>();
    private final Set<Reason> seenReasons = ConcurrentHashMap.newKeySet();
    private final FleetFigures figures = new FleetFigures();
    private volatile Runnable beforeScrape = () -> {};

    /** With the process's own figures. {@code version} and {@code revision} are those of the program. */
    @SuppressWarnings("resource") // it hears of garbage collections as long as the process lives
    public HubMetrics(String version, String revision) {
        new JvmMemoryMetrics().bindTo(registry);
        new JvmThreadMetrics().bindTo(registry);
        new JvmGcMetrics().bindTo(registry);
        new ProcessorMetrics().bindTo(registry);
        new FileDescriptorMetrics().bindTo(registry);
        new UptimeMetrics().bindTo(registry);
        Gauge.builder("osm_hub_build_info", () -> 1)
                .tags("version", version, "revision", revision, "java", System.getProperty("java.version", ""))
                .register(registry);
    }

    /** All of it in Prometheus' text format. */
    public String text() {
        beforeScrape.run();
        return registry.scrape();
    }

    /** The last hour, for people who look now. */
    public FleetFigures figures() {
        return figures;
    }

    /** Says what counts figures over all tenants; it runs before each scrape, on the thread that scrapes. */
    public void beforeScrape(Runnable count) {
        beforeScrape = count;
    }

    /** A figure that is asked for with every scrape. */
    public void gauge(String name, String meaning, DoubleSupplier value) {
        Gauge.builder(name, value::getAsDouble).description(meaning).register(registry);
    }

    /** The same with a label; {@code NaN} while it is not known. */
    public void gauge(String name, String meaning, String label, String word, DoubleSupplier value) {
        Gauge.builder(name, value::getAsDouble)
                .description(meaning)
                .tag(label, word)
                .register(registry);
    }

    /** Figures by the values of one label; one that is not named any more ends. */
    public void gauges(String name, String label, Map<String, ? extends Number> values) {
        gauges.computeIfAbsent(name, n -> MultiGauge.builder(n).register(registry))
                .register(
                        values.entrySet().stream()
                                .map(entry -> MultiGauge.Row.of(
                                        Tags.of(label, entry.getKey()),
                                        entry.getValue().doubleValue()))
                                .toList(),
                        true);
    }

    /** Open problems by their reason; a reason that has none any more keeps its series at 0. */
    public void problems(Map<Reason, Integer> open) {
        open.forEach((reason, number) -> seenReasons.add(reason));
        gauges.computeIfAbsent("osm_hub_problems", n -> MultiGauge.builder(n).register(registry))
                .register(
                        seenReasons.stream()
                                .map(reason -> MultiGauge.Row.of(
                                        Tags.of(
                                                "reason", reason.word(),
                                                "severity", reason.severity().word(),
                                                "category", reason.category().word(),
                                                "actor", reason.actor().word()),
                                        open.getOrDefault(reason, 0)))
                                .toList(),
                        true);
    }

    /** Requests to worker clusters. */
    public RequestObserver workerRequests() {
        return requests("osm_hub_worker_request");
    }

    /** Requests to the management cluster. */
    public RequestObserver managementRequests() {
        return requests("osm_hub_management_request");
    }

    private RequestObserver requests(String name) {
        return (verb, resource, failure, took) -> {
            count(
                    name + "s",
                    "verb",
                    verb.word(),
                    "resource",
                    resource == null ? "other" : resource.plural(),
                    "code",
                    code(failure));
            if (verb != Verb.WATCH) {
                timer(name, "verb", verb.word()).record(took);
            }
        };
    }

    private static String code(@Nullable ApiFailure failure) {
        if (failure == null) {
            return "2xx";
        }
        return switch (failure.code()) {
            case ApiFailure.NO_ANSWER -> "error";
            case 409 -> "409";
            case 429 -> "429";
            default -> failure.code() / 100 + "xx";
        };
    }

    /** Connections to worker clusters. */
    public WorkerConnections.Meter connects() {
        return new WorkerConnections.Meter() {
            @Override
            public void attempted(boolean connected, Duration took) {
                timer("osm_hub_connect", "result", connected ? "ok" : "unreachable")
                        .record(took);
            }

            @Override
            public void reconnecting(String cause) {
                count("osm_hub_reconnects", "cause", cause);
            }
        };
    }

    /** Runs over MachineDeployments. */
    public SyncObserver syncs() {
        return new Syncs();
    }

    private final class Syncs implements SyncObserver {
        @Override
        public void ran(Result result, Duration look, Duration decide, Duration write) {
            count("osm_hub_reconciles", "result", result.word());
            timer("osm_hub_reconcile", "step", "look").record(look);
            timer("osm_hub_reconcile", "step", "decide").record(decide);
            timer("osm_hub_reconcile", "step", "write").record(write);
        }

        @Override
        public void published(Trigger trigger, Duration after) {
            timer("osm_hub_publish", "trigger", trigger.word()).record(after);
            figures.published(after);
        }

        @Override
        public void rotated(Trigger because) {
            count("osm_hub_rotations", "because", because.word());
        }

        @Override
        public void writesAvoided() {
            count("osm_hub_writes_avoided");
        }

        @Override
        public void retried(String actor) {
            count("osm_hub_retries", "actor", actor);
        }

        @Override
        public void driftRepaired(String kind) {
            count("osm_hub_drift_repaired", "kind", kind);
        }

        @Override
        public void tokenWritten(String kind, boolean succeeded) {
            count("osm_hub_bootstrap_token_writes", "kind", kind, "result", succeeded ? "ok" : "failed");
        }

        @Override
        public void credentialRenewed(boolean succeeded) {
            count("osm_hub_credential_renewals", "result", succeeded ? "ok" : "failed");
        }

        @Override
        public void userData(String part, int bytes) {
            DistributionSummary.builder("osm_hub_user_data_bytes")
                    .tag("part", part)
                    .serviceLevelObjectives(BYTES)
                    .register(registry)
                    .record(bytes);
        }

        @Override
        public void watchRestarted(String resource, String cause) {
            count("osm_hub_watch_restarts", "resource", resource, "cause", cause);
        }

        @Override
        public void budgetWaited(Duration wait) {
            timer("osm_hub_write_budget_wait", "cluster", "worker").record(wait);
        }
    }

    /**
     * A question of an API server was answered.
     *
     * @param webhook which one, by the plural of what it is about
     * @param allowed {@code true}, {@code false}, or {@code error} when the hub could not tell
     */
    public void admission(String webhook, String allowed, Duration took) {
        count("osm_hub_admission_requests", "webhook", webhook, "allowed", allowed);
        timer("osm_hub_admission", "webhook", webhook).record(took);
    }

    /** Requests to the API and the console. */
    public HttpObserver http() {
        return new HttpObserver() {
            @Override
            public void answered(String route, String method, int status, Duration took) {
                count("osm_hub_http_requests", "route", route, "method", method, "code", httpCode(status));
                timer("osm_hub_http_request", "route", route, "method", method).record(took);
            }

            @Override
            public void limited(Limit limit) {
                count("osm_hub_http_limited", "limit", limit.name().toLowerCase(Locale.ROOT));
            }
        };
    }

    private static String httpCode(int status) {
        return status == 409 || status == 429 ? String.valueOf(status) : status / 100 + "xx";
    }

    /** Questions about callers. */
    public ReviewMeter reviews() {
        return (kind, result, fromCache) -> count(
                "osm_hub_auth_reviews",
                "kind",
                kind.name().toLowerCase(Locale.ROOT),
                "result",
                result.name().toLowerCase(Locale.ROOT),
                "cache",
                fromCache ? "hit" : "miss");
    }

    /** A write was held back because the Lease was too old. */
    public void fencedWrite() {
        count("osm_hub_fenced_writes");
    }

    private void count(String name, String... labels) {
        counters.computeIfAbsent(
                        name + String.join("\n", labels),
                        ignored -> Counter.builder(name).tags(labels).register(registry))
                .increment();
    }

    private Timer timer(String name, String... labels) {
        return timers.computeIfAbsent(
                name.toLowerCase(Locale.ROOT) + String.join("\n", labels), ignored -> Timer.builder(name)
                        .tags(labels)
                        .serviceLevelObjectives(SECONDS)
                        .register(registry));
    }
}
