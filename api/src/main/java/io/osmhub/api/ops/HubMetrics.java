package io.osmhub.api.ops;

import io.micrometer.core.instrument.Timer;
import io.osmhub.api.access.ReviewMetrics;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.api.http.RequestTrace;
import io.osmhub.api.ops.Meters.GaugeSeries;
import io.osmhub.core.osp.ProfileExtension.Policy;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.tenancy.Hub.HubObserver;
import io.osmhub.tenancy.TenantView;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.connection.ConnectionMetrics;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.port.SyncObserver;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.DoubleSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Metrics of the hub, named as in docs/reference/metrics.md. Labels have few, fixed values and never name an object or user; a tenant
 * only if series for each tenant are enabled. Thread-safe.
 */
public final class HubMetrics {
    static final double[] BYTES = {1_024, 2_048, 4_096, 8_192, 12_288, 16_384, 32_768, 65_536, 262_144, 1_048_576};

    /** Any other method sent by a client is counted under one label value. */
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE");

    private final Meters meters = new Meters();
    private final TenantMetrics tenantSeries = new TenantMetrics(meters);
    private final Set<FleetMetrics.ProblemSeries> seenProblems = ConcurrentHashMap.newKeySet();
    private final FleetStatistics statistics = new FleetStatistics();
    private volatile Runnable beforeScrape = () -> {};

    /**
     * All tenants at one point in time.
     *
     * @param cached objects of the management cluster in memory, by plural
     * @param problems open ones of the hub itself
     * @param tenantSeries maximum series with a tenant's name; 0 for none
     */
    public record FleetSnapshot(
            List<TenantView> tenants,
            Map<String, Integer> cached,
            List<Problem> problems,
            Instant now,
            int tenantSeries) {
        public FleetSnapshot {
            tenants = List.copyOf(tenants);
            cached = Map.copyOf(cached);
            problems = List.copyOf(problems);
        }
    }

    /** Includes metrics of the process. {@code version} and {@code revision} are those of the program. */
    public HubMetrics(String version, String revision) {
        meters.bindProcess();
        meters.info(
                "osm_hub_build_info",
                "version",
                version,
                "revision",
                revision,
                "java",
                System.getProperty("java.version", ""));
        new InitialSeries(meters).register();
    }

    /** Creates a Vert.x instance that reports its metrics here. */
    public Vertx createVertx(VertxOptions options) {
        return VertxMeterFilter.createVertx(options, meters.registry());
    }

    /** All metrics in Prometheus' text format. */
    public String scrape() {
        return scrape(OpsServer.PROMETHEUS);
    }

    /** All metrics in the format of a content type: Prometheus' text format or OpenMetrics. */
    public String scrape(String contentType) {
        beforeScrape.run();
        return meters.scrape(contentType);
    }

    /** Statistics of the last hour for the console and API. */
    public FleetStatistics statistics() {
        return statistics;
    }

    /** Sets the callback that updates the metrics of all tenants. Called before each scrape, on the scraping thread. */
    public void beforeScrape(Runnable count) {
        beforeScrape = count;
    }

    /** Registers a gauge read at each scrape; {@code labels} are label, value, label, value, ... */
    public void gauge(String name, DoubleSupplier value, String... labels) {
        meters.gauge(name, value, labels);
    }

    /** Updates the metrics of all tenants. Series of problem reasons remain, with 0, when no problem is open. */
    public void updateFleet(FleetSnapshot fleet) {
        FleetMetrics count = new FleetMetrics(fleet);
        count.publish(meters);
        Map<FleetMetrics.ProblemSeries, Integer> open = count.problems();
        seenProblems.addAll(open.keySet());
        List<GaugeSeries> rows = new ArrayList<>();
        for (FleetMetrics.ProblemSeries series : seenProblems) {
            Reason reason = series.reason();
            rows.add(GaugeSeries.of(
                    open.getOrDefault(series, 0),
                    "reason",
                    reason.wireName(),
                    "severity",
                    reason.severity().wireName(),
                    "category",
                    reason.category().wireName(),
                    "actor",
                    series.actor().wireName()));
        }
        meters.setSeries("osm_hub_problems", rows);
        tenantSeries.publish(fleet.tenants(), fleet.tenantSeries(), fleet.now());
    }

    /** Updates the number of compiled profiles in memory. */
    public void compiledProfiles(Map<TemplateLanguage, Integer> kept) {
        List<GaugeSeries> rows = new ArrayList<>();
        kept.forEach((language, number) -> rows.add(GaugeSeries.of(number, "engine", language.wireName())));
        meters.setSeries("osm_hub_compiled_profiles", rows);
    }

    /** Updates the number of extensions, and of MachineDeployments published with one. */
    public void extensions(Map<Policy, Integer> stored, Map<Policy, Integer> machineDeployments) {
        setByPolicy("osm_hub_extensions", stored);
        setByPolicy("osm_hub_extended_machine_deployments", machineDeployments);
    }

    private void setByPolicy(String name, Map<Policy, Integer> counts) {
        Map<String, Integer> series = FleetMetrics.zeros(Policy.values());
        counts.forEach((policy, count) -> series.put(FleetMetrics.word(policy), count));
        meters.setSeries(name, "policy", series);
    }

    /** Records requests to worker clusters. */
    public RequestObserver workerRequests() {
        return requests("osm_hub_worker_request");
    }

    /** Records requests to the management cluster. */
    public RequestObserver managementRequests() {
        return requests("osm_hub_management_request");
    }

    private RequestObserver requests(String name) {
        return (verb, resource, failure, took) -> {
            count(
                    name + "s",
                    "verb",
                    verb.wireName(),
                    "resource",
                    resource == null ? "other" : resource.plural(),
                    "code",
                    code(failure));
            if (verb != Verb.WATCH) {
                timer(name, "verb", verb.wireName()).record(took);
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

    /** Records connections to worker clusters. */
    public ConnectionMetrics connects() {
        return new ConnectionMetrics() {
            @Override
            public void onAttempted(boolean connected, Duration took) {
                timer("osm_hub_connect", "result", connected ? "ok" : "unreachable")
                        .record(took);
            }

            @Override
            public void onReconnecting(String cause) {
                count("osm_hub_reconnects", "cause", cause);
            }
        };
    }

    /** Records reconciles of MachineDeployments. */
    public SyncObserver syncs() {
        return new MeteredSyncObserver();
    }

    private final class MeteredSyncObserver implements SyncObserver {
        @Override
        public void onRunCompleted(Result result, Duration look, Duration decide, Duration write) {
            count("osm_hub_reconciles", "result", result.wireName());
            timer("osm_hub_reconcile", "step", "look").record(look);
            timer("osm_hub_reconcile", "step", "decide").record(decide);
            timer("osm_hub_reconcile", "step", "write").record(write);
        }

        @Override
        public void onPublished(Trigger trigger, Duration after) {
            timer("osm_hub_publish", "trigger", trigger.wireName()).record(after);
            statistics.recordPublish(after);
        }

        @Override
        public void onRotated(Trigger because) {
            count("osm_hub_rotations", "because", because.wireName());
        }

        @Override
        public void onWritesAvoided() {
            count("osm_hub_writes_avoided");
        }

        @Override
        public void onRetried(String actor) {
            count("osm_hub_retries", "actor", actor);
        }

        @Override
        public void onDriftRepaired(String kind) {
            count("osm_hub_drift_repaired", "kind", kind);
        }

        @Override
        public void onTokenWritten(String kind, boolean succeeded) {
            count("osm_hub_bootstrap_token_writes", "kind", kind, "result", succeeded ? "ok" : "failed");
        }

        @Override
        public void onCredentialRenewed(boolean succeeded) {
            count("osm_hub_credential_renewals", "result", succeeded ? "ok" : "failed");
        }

        @Override
        public void onRendered(String engine, Duration took) {
            meters.timer("osm_hub_render", Meters.SHORT, "engine", engine).record(took);
        }

        @Override
        public void onUnexpectedRendering() {
            count("osm_hub_unexpected_renderings");
        }

        @Override
        public void onRenderingRejected(String reason) {
            count("osm_hub_render_failures", "reason", reason);
        }

        @Override
        public void onUserDataPublished(String part, int bytes) {
            meters.sizes("osm_hub_user_data_bytes", BYTES, "part", part).record(bytes);
        }

        @Override
        public void onWatchRestarted(String resource, String cause) {
            count("osm_hub_watch_restarts", "resource", resource, "cause", cause);
        }

        @Override
        public void onWriteDelayed(Duration wait) {
            timer("osm_hub_write_budget_wait", "cluster", "worker").record(wait);
        }
    }

    /**
     * Records an admission review.
     *
     * @param webhook plural of the reviewed resource
     * @param allowed {@code true}, {@code false}, or {@code error} if the hub could not decide
     */
    public void recordAdmission(String webhook, String allowed, Duration took) {
        count("osm_hub_admission_requests", "webhook", webhook, "allowed", allowed);
        timer("osm_hub_admission", "webhook", webhook).record(took);
    }

    /** Records requests to the API and the console. */
    public HttpObserver http() {
        return new HttpObserver() {
            @Override
            public void onResponse(String route, String method, int status, Duration took, RequestTrace trace) {
                String known = method(method);
                count("osm_hub_http_requests", "route", route, "method", known, "code", httpCode(status));
                timer("osm_hub_http_request", "route", route, "method", known).record(took);
            }

            @Override
            public void onLimited(LimitKind limit) {
                count("osm_hub_http_limited", "limit", limit.name().toLowerCase(Locale.ROOT));
            }
        };
    }

    static String method(String sent) {
        return METHODS.contains(sent) ? sent : "other";
    }

    private static String httpCode(int status) {
        return status == 409 || status == 429 ? String.valueOf(status) : status / 100 + "xx";
    }

    /** Records token and access reviews. */
    public ReviewMetrics reviews() {
        return (kind, result, fromCache) -> count(
                "osm_hub_auth_reviews",
                "kind",
                kind.name().toLowerCase(Locale.ROOT),
                "result",
                result.name().toLowerCase(Locale.ROOT),
                "cache",
                fromCache ? "hit" : "miss");
    }

    /** Records events of the hub as a whole. {@code cause} returns the cause of the last change in this replica's share of tenants. */
    public HubObserver hub(Supplier<String> cause) {
        return new HubObserver() {
            @Override
            public void onWriteFenced() {
                count("osm_hub_fenced_writes");
            }

            @Override
            public void onTakeover() {
                count("osm_hub_handovers", "cause", cause.get());
            }

            @Override
            public void onProfileCompiled(TemplateLanguage language, Duration took) {
                meters.timer("osm_hub_profile_compile", Meters.SHORT, "engine", language.wireName())
                        .record(took);
            }

            @Override
            public void onCleanupIncomplete() {
                count("osm_hub_cleanup_incomplete");
            }

            @Override
            public void onStatusDelayed(Duration wait) {
                timer("osm_hub_write_budget_wait", "cluster", "management").record(wait);
            }
        };
    }

    private void count(String name, String... labels) {
        meters.count(name, labels);
    }

    private Timer timer(String name, String... labels) {
        return meters.timer(name, Meters.LONG, labels);
    }
}
