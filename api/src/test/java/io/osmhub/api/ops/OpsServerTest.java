package io.osmhub.api.ops;

import static org.assertj.core.api.Assertions.assertThat;

import io.vertx.core.Vertx;
import io.vertx.junit5.VertxExtension;
import io.vertx.junit5.VertxTestContext;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@ExtendWith(VertxExtension.class)
final class OpsServerTest {
    private final HttpClient http = HttpClient.newHttpClient();
    private final AtomicReference<@Nullable String> management = new AtomicReference<>();
    private int port;

    @BeforeEach
    void listen(Vertx vertx, VertxTestContext context) {
        HealthChecks ready = new HealthChecks().addCheck("config", () -> null).addCheck("management", management::get);
        OpsServer server = new OpsServer(
                vertx,
                Map.of("/readyz", ready, "/livez", new HealthChecks()),
                format -> "osm_hub_up 1\n" + (format.startsWith("application/openmetrics-text") ? "# EOF\n" : ""));
        server.listen("127.0.0.1", 0, new OpsServer.ServedPaths(true, true)).onComplete(context.succeeding(found -> {
            port = found;
            context.completeNow();
        }));
    }

    @AfterEach
    void close() {
        http.close();
    }

    private HttpResponse<String> get(String path, String... headers) throws Exception {
        HttpRequest.Builder request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path));
        if (headers.length > 0) {
            request.headers(headers);
        }
        return http.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    @Test
    void isReadyWhileEveryPartIs() throws Exception {
        assertThat(get("/readyz").statusCode()).isEqualTo(200);
        assertThat(get("/readyz").body()).isEqualTo("ok\n");
    }

    @Test
    void namesThePartsThatFailed() throws Exception {
        management.set("not reached for 40 s");

        assertThat(get("/readyz").statusCode()).isEqualTo(503);
        assertThat(get("/readyz").body()).isEqualTo("failed: management\n");
        assertThat(get("/readyz?verbose").body())
                .isEqualTo("ok      config\nfailed  management: not reached for 40 s\nfailed: management\n");
        assertThat(get("/livez").statusCode()).isEqualTo(200);
    }

    @Test
    void answersProbesWhileOthersKeepManyConnectionsOpen() throws Exception {
        List<Socket> idle = new ArrayList<>();
        try {
            for (int i = 0; i < 400; i++) {
                idle.add(new Socket(InetAddress.getLoopbackAddress(), port));
            }

            assertThat(get("/livez").statusCode()).isEqualTo(200);
            // The oldest gave way.
            for (Socket evicted : idle.subList(0, 100)) {
                evicted.setSoTimeout(30_000);
                assertThat(evicted.getInputStream().read()).isEqualTo(-1);
            }
        } finally {
            for (Socket socket : idle) {
                socket.close();
            }
        }
    }

    @Test
    void closesAConnectionThatSendsNoCompleteRequest() throws Exception {
        try (Socket slow = new Socket(InetAddress.getLoopbackAddress(), port)) {
            slow.setSoTimeout(25_000);
            slow.getOutputStream().write("GET /livez HTTP/1.1\r\n".getBytes(StandardCharsets.US_ASCII));

            assertThat(slow.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void leavesOutWhatIsExcluded() throws Exception {
        management.set("not reached for 40 s");

        assertThat(get("/readyz?exclude=management").statusCode()).isEqualTo(200);
    }

    @Test
    void answersProgramsInJson() throws Exception {
        management.set("not reached for 40 s");

        assertThat(get("/readyz", "Accept", "application/json").body())
                .isEqualTo(
                        "{\"status\":\"failed\",\"parts\":{\"config\":\"ok\",\"management\":\"not reached for 40 s\"}}");
    }

    @Test
    void servesMetricsAsPrometheusReadsThem() throws Exception {
        HttpResponse<String> answer = get("/metrics");

        assertThat(answer.body()).isEqualTo("osm_hub_up 1\n");
        assertThat(answer.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith("text/plain; version=0.0.4"));
    }

    @Test
    void servesOpenMetricsToWhatAcceptsIt() throws Exception {
        HttpResponse<String> answer = get(
                "/metrics", "Accept", "application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.4,*/*;q=0.1");

        assertThat(answer.body()).endsWith("# EOF\n");
        assertThat(answer.headers().firstValue("content-type"))
                .hasValue("application/openmetrics-text; version=1.0.0; charset=utf-8");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "application/openmetrics-text;q=0.1, text/plain;q=0.9 | text/plain",
                "application/openmetrics-text;q=0 | text/plain",
                "application/openmetrics-text; version=1.0.0; q=0.000, */* | text/plain",
                "application/openmetrics-text;q=0.3, */*;q=0.5 | text/plain",
                "application/openmetrics-text;version=0.0.1;q=0.2,application/openmetrics-text;version=1.0.0;q=0.6,text/plain;q=0.4"
                        + " | application/openmetrics-text",
                "text/plain, APPLICATION/OpenMetrics-Text | application/openmetrics-text",
                "*/* | text/plain"
            })
    void servesTheFormatThatIsWantedMost(String accept, String format) throws Exception {
        HttpResponse<String> answer = get("/metrics", "Accept", accept);

        assertThat(answer.headers().firstValue("content-type"))
                .hasValueSatisfying(type -> assertThat(type).startsWith(format + ";"));
    }

    @Test
    void saysWhatThereIsInsteadOfAPathThatThereIsNot() throws Exception {
        assertThat(get("/").statusCode()).isEqualTo(404);
        assertThat(get("/").body()).isEqualTo("not found; try /livez /metrics /readyz\n");
    }
}
