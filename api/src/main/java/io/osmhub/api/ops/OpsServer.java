package io.osmhub.api.ops;

import io.osmhub.api.http.AcceptHeader;
import io.osmhub.api.http.IdleConnectionCloser;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.json.JsonObject;
import io.vertx.core.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Serves {@code /livez}, {@code /readyz}, {@code /healthz} and {@code /metrics} over plain HTTP, without names of tenants. */
public final class OpsServer {
    private static final Logger LOG = LoggerFactory.getLogger(OpsServer.class);
    static final String PROMETHEUS = "text/plain; version=0.0.4; charset=utf-8";
    private static final String OPEN_METRICS_TYPE = "application/openmetrics-text";
    static final String OPEN_METRICS = OPEN_METRICS_TYPE + "; version=1.0.0; charset=utf-8";
    private static final int MAX_REQUEST_BYTES = 8_192;
    /** A probe and a scrape need one each, for milliseconds. */
    private static final int MOST_CONNECTIONS = 256;

    private static final Duration FIRST_REQUEST = Duration.ofSeconds(5);
    private static final Duration IDLE = Duration.ofSeconds(30);

    private final Vertx vertx;
    private final Map<String, HealthChecks> health;
    private final UnaryOperator<String> metrics;
    private final List<HttpServer> servers = new ArrayList<>();

    /**
     * Creates a server that does not listen yet.
     *
     * @param health by path, for example {@code /livez}
     * @param metrics returns the metrics in the format of a content type; may take milliseconds, so it runs on a worker thread
     */
    public OpsServer(Vertx vertx, Map<String, HealthChecks> health, UnaryOperator<String> metrics) {
        this.vertx = vertx;
        this.health = Map.copyOf(health);
        this.metrics = metrics;
    }

    /** The paths served on an address. */
    public record ServedPaths(boolean healthPaths, boolean metricsPath) {}

    /**
     * Listens on another address.
     *
     * @param host a name or an address; empty for all addresses of the machine
     * @param port 0 uses a free port
     * @return the port; fails if it cannot be bound
     */
    public Future<Integer> listen(String host, int port, ServedPaths serves) {
        HttpServer server = vertx.createHttpServer(new HttpServerOptions()
                .setIdleTimeout((int) IDLE.toSeconds())
                // Would hide a connection from its limit until its first byte.
                .setHttp2ClearTextEnabled(false)
                .setMaxInitialLineLength(MAX_REQUEST_BYTES)
                .setMaxHeaderSize(MAX_REQUEST_BYTES));
        servers.add(server);
        return IdleConnectionCloser.limit(
                        vertx, server, MOST_CONNECTIONS, FIRST_REQUEST, IDLE, request -> answer(request, serves))
                .listen(SocketAddress.inetSocketAddress(port, host.isEmpty() ? "0.0.0.0" : host))
                .map(HttpServer::actualPort);
    }

    private void answer(HttpServerRequest request, ServedPaths serves) {
        HttpServerResponse response = request.response();
        HealthChecks asked = serves.healthPaths ? health.get(request.path()) : null;
        boolean metricsAsked = serves.metricsPath && request.path().equals("/metrics");
        if (asked == null && !metricsAsked) {
            text(response, 404, "not found; try " + String.join(" ", paths(serves)) + "\n");
        } else if (request.method() != HttpMethod.GET && request.method() != HttpMethod.HEAD) {
            response.putHeader(HttpHeaders.ALLOW, "GET, HEAD");
            text(response, 405, "use GET\n");
        } else if (asked != null) {
            health(request, asked.report(excluded(request)));
        } else {
            String format = format(request.headers().getAll(HttpHeaders.ACCEPT));
            vertx.executeBlocking(() -> metrics.apply(format), false)
                    .onSuccess(all -> response.putHeader(HttpHeaders.CONTENT_TYPE, format)
                            .putHeader(HttpHeaders.VARY, HttpHeaders.ACCEPT)
                            .end(all))
                    .onFailure(fault -> {
                        LOG.error("The metrics could not be counted", fault);
                        text(response, 500, "metrics are not available\n");
                    });
        }
    }

    /** OpenMetrics only if the client accepts it and does not prefer the other format. */
    private static String format(List<String> accept) {
        double openMetrics = AcceptHeader.quality(accept, OPEN_METRICS_TYPE);
        boolean named = String.join(",", accept).toLowerCase(Locale.ROOT).contains(OPEN_METRICS_TYPE);
        return named && openMetrics > 0 && openMetrics >= AcceptHeader.quality(accept, "text/plain")
                ? OPEN_METRICS
                : PROMETHEUS;
    }

    private Set<String> paths(ServedPaths serves) {
        Set<String> paths = new TreeSet<>(serves.healthPaths ? health.keySet() : Set.of());
        if (serves.metricsPath) {
            paths.add("/metrics");
        }
        return paths;
    }

    private static Set<String> excluded(HttpServerRequest request) {
        return Set.copyOf(request.params().getAll("exclude"));
    }

    private static void health(HttpServerRequest request, HealthChecks.HealthReport report) {
        HttpServerResponse response = request.response();
        int code = report.isHealthy() ? 200 : 503;
        String accept = request.getHeader(HttpHeaders.ACCEPT);
        if (accept != null && accept.contains("application/json")) {
            JsonObject parts = new JsonObject();
            report.failures().forEach((part, why) -> parts.put(part, why.isEmpty() ? "ok" : why));
            response.setStatusCode(code)
                    .putHeader(HttpHeaders.CONTENT_TYPE, "application/json")
                    .end(new JsonObject()
                            .put("status", report.isHealthy() ? "ok" : "failed")
                            .put("parts", parts)
                            .encode());
            return;
        }
        text(response, code, request.params().contains("verbose") ? report.verbose() : report.line());
    }

    private static void text(HttpServerResponse response, int code, @Nullable String text) {
        response.setStatusCode(code)
                .putHeader(HttpHeaders.CONTENT_TYPE, "text/plain; charset=utf-8")
                .end(text == null ? "" : text);
    }
}
