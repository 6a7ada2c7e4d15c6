package io.osmhub.api.ops;

import io.micrometer.core.instrument.Timer;
import io.osmhub.api.access.ReviewMeter;
import io.osmhub.api.http.HttpObserver;
import io.osmhub.api.http.RequestTrace;
import io.osmhub.api.ops.Meters.Row;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.HubObserver;
import io.osmhub.tenancy.TenantView;
import io.osmhub.tenancy.client.RequestObserver;
import io.osmhub.tenancy.connection.WorkerConnections;
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
 * What the hub measures, under the names of docs/metrics.md. Labels have few and fixed values; no object or user is one, and a
 * tenant only where series for each tenant are asked for. Safe for use by many threads.
 */
public final class HubMetrics {
    static final double[] BYTES = {1_024, 2_048, 4_096, 8_192, 12_288, 16_384, 32_768, 65_536, 262_144, 1_048_576};

    /** Anything else that a client writes in their place is one word. */
    private static final Set<String> METHODS = Set.of("GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE");

    private final Meters meters = new Meters();
    private final TenantSeries tenantSeries = new TenantSeries(meters);
    private final Set<Reason> seenReasons = ConcurrentHashMap.newKeySet();
    private final FleetFigures figures = new FleetFigures();
    private volatile Runnable beforeScrape = () -> {};

    /**
     * All tenants at one moment.
     *
     * @param cached objects of the management cluster in memory, by plural
     * @param problems open ones of the hub itself
     * @param tenantSeries most series with a tenant's name; 0 for none
     */
    public record Fleet(
            List<TenantView> tenants,
            Map<String, Integer> cached,
            List<Reason> problems,
            Instant now,
            int tenantSeries) {
        public Fleet {
            tenants = List.copyOf(tenants);
            cached = Map.copyOf(cached);
            problems = List.copyOf(problems);
        }
    }

    /** With the process's own figures. {@code version} and {@code revision} are those of the program. */
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
        new FirstSeries(meters).make();
    }

    /** A Vert.x whose metrics are among these. */
    public Vertx vertx(VertxOptions options) {
        return VertxMeters.start(options, meters.registry());
    }

    /** All of it in Prometheus' text format. */
    public String text() {
        return text(OpsServer.PROMETHEUS);
    }

    /** All of it in the format of a content type: Prometheus' text format or OpenMetrics. */
    public String text(String contentType) {
        beforeScrape.run();
        return meters.text(contentType);
    }

    /** The last hour, for people who look now. */
    public FleetFigures figures() {
        return figures;
    }

    /** Says what counts figures over all tenants; it runs before each scrape, on the thread that scrapes. */
    public void beforeScrape(Runnable count) {
        beforeScrape = count;
    }

    /** A figure that is asked for with every scrape; {@code labels} are label, value, label, value, ... */
    public void gauge(String name, DoubleSupplier value, String... labels) {
        meters.gauge(name, value, labels);
    }

    /** Counts all tenants. A reason of problems that has none any more keeps its series at 0. */
    public void fleet(Fleet fleet) {
        FleetCount count = new FleetCount(fleet);
        count.show(meters);
        Map<Reason, Integer> open = count.problems();
        seenReasons.addAll(open.keySet());
        List<Row> rows = new ArrayList<>();
        for (Reason reason : seenReasons) {
            rows.add(Row.of(
                    open.getOrDefault(reason, 0),
                    "reason",
                    reason.word(),
                    "severity",
                    reason.severity().word(),
                    "category",
                    reason.category().word(),
                    "actor",
                    reason.actor().word()));
        }
        meters.rows("osm_hub_problems", rows);
        tenantSeries.show(fleet.tenants(), fleet.tenantSeries(), fleet.now());
    }

    /** Compiled profiles in memory. */
    public void compiledProfiles(Map<TemplateLanguage, Integer> kept) {
        List<Row> rows = new ArrayList<>();
        kept.forEach((language, number) -> rows.add(Row.of(number, "engine", language.wireName())));
        meters.rows("osm_hub_compiled_profiles", rows);
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
        public void rendered(String engine, Duration took) {
            meters.timer("osm_hub_render", Meters.SHORT, "engine", engine).record(took);
        }

        @Override
        public void renderingRefused(String reason) {
            count("osm_hub_render_failures", "reason", reason);
        }

        @Override
        public void userData(String part, int bytes) {
            meters.sizes("osm_hub_user_data_bytes", BYTES, "part", part).record(bytes);
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
            public void answered(String route, String method, int status, Duration took, RequestTrace trace) {
                String known = method(method);
                count("osm_hub_http_requests", "route", route, "method", known, "code", httpCode(status));
                timer("osm_hub_http_request", "route", route, "method", known).record(took);
            }

            @Override
            public void limited(Limit limit) {
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

    /** What concerns the hub as a whole. {@code cause} says by what this replica's share of tenants changed last. */
    public HubObserver hub(Supplier<String> cause) {
        return new HubObserver() {
            @Override
            public void fencedWrite() {
                count("osm_hub_fenced_writes");
            }

            @Override
            public void tookOver() {
                count("osm_hub_handovers", "cause", cause.get());
            }

            @Override
            public void profileCompiled(TemplateLanguage language, Duration took) {
                meters.timer("osm_hub_profile_compile", Meters.SHORT, "engine", language.wireName())
                        .record(took);
            }

            @Override
            public void cleanupIncomplete() {
                count("osm_hub_cleanup_incomplete");
            }

            @Override
            public void statusWaited(Duration wait) {
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
