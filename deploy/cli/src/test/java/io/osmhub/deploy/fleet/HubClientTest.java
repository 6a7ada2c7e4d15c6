package io.osmhub.deploy.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.api.schema.WorkerClusterRegistration;
import io.osmhub.core.model.Sensitive;
import io.osmhub.deploy.fleet.FleetEndpoint.TunnelOptions;
import io.osmhub.deploy.fleet.HubClient.FleetListQuery;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HubClientTest {
    private static final String CLUSTER = """
            {"metadata":{"namespace":"a","name":"%s","uid":"u","createdAt":"2026-11-21T10:00:00Z"},
            "state":"Synced","spec":{"kubeconfigSecretRef":{"name":"s"}},"status":{}}""";

    private final List<String> requests = new ArrayList<>();
    private @Nullable HttpServer server;
    private int status = 200;
    private List<String> answers = List.of();

    @TempDir
    private Path folder;

    @BeforeEach
    void start() throws IOException {
        HttpServer made = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        made.createContext("/", this::answer);
        made.start();
        server = made;
    }

    @AfterEach
    void stop() {
        Objects.requireNonNull(server, "started").stop(0);
    }

    private void answer(HttpExchange exchange) throws IOException {
        requests.add(exchange.getRequestMethod() + " " + exchange.getRequestURI() + " "
                + exchange.getRequestHeaders().getFirst("Authorization") + " "
                + new String(exchange.getRequestBody().readAllBytes(), UTF_8));
        byte[] body = answers.get(Math.min(requests.size(), answers.size()) - 1).getBytes(UTF_8);
        exchange.sendResponseHeaders(status, body.length);
        exchange.getResponseBody().write(body);
        exchange.close();
    }

    private HubClient hub(@Nullable Path token) {
        URI uri = URI.create("http://localhost:"
                + Objects.requireNonNull(server, "started").getAddress().getPort() + "/");
        return new FleetEndpoint(
                        uri, token, null, null, "", "", TunnelOptions.DEFAULT, Duration.ofSeconds(30), line -> {})
                .openHub();
    }

    @Test
    void readsAllPagesOfAList() throws Exception {
        answers = List.of(
                "{\"items\":[" + CLUSTER.formatted("one") + "],\"continue\":\"next page\"}",
                "{\"items\":[" + CLUSTER.formatted("two") + "],\"new\":\"field\"}");

        try (HubClient hub = hub(Files.writeString(folder.resolve("token"), "a-token\n"))) {
            assertThat(hub.list("/worker-clusters", WorkerClusterEntry.class, FleetListQuery.in("a")))
                    .extracting(cluster -> cluster.metadata().name())
                    .containsExactly("one", "two");
        }

        assertThat(requests.getFirst()).startsWith("GET /api/v1/worker-clusters?limit=500&namespace=a Bearer a-token");
        assertThat(requests.getLast()).contains("&continue=next+page ");
    }

    @Test
    void saysHowToSignIn() throws Exception {
        status = 401;
        answers = List.of("{}");

        try (HubClient hub = hub(null)) {
            CommandFailure failure = catchThrowableOfType(CommandFailure.class, () -> hub.workerCluster("a", "one"));

            assertThat(failure.kind().exitCode()).isEqualTo(4);
            assertThat(failure.text())
                    .startsWith("not authenticated at http://localhost:")
                    .endsWith("; use --token-file or --kubeconfig");
        }
    }

    @Test
    void listsEveryMistakeOfARefusedKubeconfig() throws Exception {
        status = 422;
        answers = List.of("""
                {"type":"urn:osmhub:problem:kubeconfig-refused","title":"The kubeconfig was refused","status":422,
                "detail":"2 mistakes in the kubeconfig; nothing was stored","errors":[
                {"in":"body","pointer":"/kubeconfig","field":"users[0].user.exec","detail":"not allowed","cure":"give a token"},
                {"in":"body","pointer":"/kubeconfig","field":"clusters[0]","detail":"no CA"}]}""");

        try (HubClient hub = hub(null)) {
            CommandFailure failure = catchThrowableOfType(
                    CommandFailure.class,
                    () -> hub.put(
                            "a",
                            "one",
                            new WorkerClusterRegistration(new Sensitive("text"), "admin.conf", null, null, null, null),
                            true,
                            false));

            assertThat(failure.kind().exitCode()).isEqualTo(2);
            assertThat(failure.lines())
                    .containsExactly("users[0].user.exec  not allowed; give a token", "clusters[0]         no CA");
        }
        assertThat(requests.getFirst()).contains("{\"kubeconfig\":\"text\",\"kubeconfigKey\":\"admin.conf\"}");
    }

    @Test
    void whatAnswersWithoutBeingAHubIsToldSo() throws Exception {
        answers = List.of("<html>hello</html>");

        try (HubClient hub = hub(null)) {
            assertThat(catchThrowableOfType(CommandFailure.class, () -> hub.workerCluster("a", "one"))
                            .kind()
                            .exitCode())
                    .isEqualTo(5);
        }
    }
}
