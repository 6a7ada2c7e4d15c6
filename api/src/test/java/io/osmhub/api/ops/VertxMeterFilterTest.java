package io.osmhub.api.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.http.RequestTrace;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientResponse;
import io.vertx.core.http.HttpMethod;
import io.vertx.core.http.HttpServer;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class VertxMeterFilterTest {
    private static final Pattern SERIES = Pattern.compile("(?m)^(vertx_\\w+)(?:\\{(.*)})? ");

    private final HubMetrics metrics = new HubMetrics("1.2.3", "abc");
    private final Vertx vertx = metrics.createVertx(new VertxOptions().setEventLoopPoolSize(1));

    @AfterEach
    void stop() {
        wait(vertx.close());
    }

    private static <T> T wait(Future<T> future) {
        return future.toCompletionStage()
                .toCompletableFuture()
                .orTimeout(30, TimeUnit.SECONDS)
                .join();
    }

    /** One server and one client for each, as the hub has for each worker cluster. */
    private void servers(int count, int requests) {
        for (int i = 0; i < count; i++) {
            HttpServer server = wait(vertx.createHttpServer()
                    .requestHandler(request -> request.response()
                            .setStatusCode(request.method() == HttpMethod.GET ? 200 : 405)
                            .end())
                    .listen(0, "127.0.0.1"));
            HttpClient client = vertx.createHttpClient();
            for (int request = 0; request < requests; request++) {
                request(client, server.actualPort(), HttpMethod.GET, "/objects/" + i + "/" + request);
            }
            request(client, server.actualPort(), HttpMethod.valueOf("INVENTED" + i), "/");
            wait(client.close());
            wait(server.close());
        }
    }

    private static void request(HttpClient client, int port, HttpMethod method, String path) {
        wait(client.request(method, port, "127.0.0.1", path)
                .compose(request -> request.send().compose(HttpClientResponse::end)));
    }

    private Map<String, String> series() {
        return SERIES.matcher(metrics.scrape())
                .results()
                .collect(Collectors.toMap(
                        result -> result.group(1) + result.group(2),
                        (MatchResult result) -> result.group(2) == null ? "" : result.group(2),
                        (one, other) -> one,
                        TreeMap::new));
    }

    @Test
    void clustersPathsAndInventedMethodsAddNoSeries() {
        servers(1, 2);
        Map<String, String> ofOne = series();

        servers(20, 3);

        assertThat(ofOne.keySet())
                .anyMatch(name -> name.startsWith("vertx_http_client_active_connections"))
                .anyMatch(name -> name.startsWith("vertx_http_server_response_time_seconds_count"));
        assertThat(series()).isEqualTo(ofOne);
        assertThat(ofOne.values())
                .allMatch(labels -> labels.isEmpty() || labels.matches("((method|code|pool_name)=\"[^\"]*\",?)+"));
    }

    @Test
    void theHubsOwnMetersKeepTheirLabels() {
        metrics.http().onResponse("/tenants", "GET", 200, Duration.ofMillis(1), RequestTrace.NONE);

        assertThat(metrics.scrape())
                .contains("osm_hub_http_requests_total{code=\"2xx\",method=\"GET\",route=\"/tenants\"}");
    }
}
