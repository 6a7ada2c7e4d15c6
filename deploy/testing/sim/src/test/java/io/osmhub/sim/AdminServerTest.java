package io.osmhub.sim;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.sim.contract.ApiCaller;
import io.osmhub.sim.objects.JsonTrees;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;
import picocli.CommandLine.ParseResult;

/** The simulator is steered over HTTP. */
final class AdminServerTest {
    private static SimulatedClusters clusters;
    private static AdminServer admin;
    private final HttpClient http = HttpClient.newHttpClient();

    @BeforeAll
    static void start() {
        clusters = SimulatedClusters.start(0, SimulationOptions.fleet());
        clusters.add("management");
        clusters.add("worker-0001");
        clusters.add("worker-0002");
        admin = AdminServer.start(clusters, 0);
    }

    @AfterAll
    static void stop() {
        clusters.close();
    }

    @Test
    void objectsAreCreatedInAllWorkersManyTimes() throws Exception {
        JsonNode answer = send(
                "POST",
                "/clusters/*/objects?count=3",
                "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"bulk-%n%\",\"namespace\":\"default\"}}");

        assertThat(answer.path("created").asInt()).isEqualTo(6);
        assertThat(clusters.cluster(0).objects().list("v1", "ConfigMap", "default"))
                .isEmpty();
        assertThat(clusters.cluster(2).objects().get("v1", "ConfigMap", "default", "bulk-2"))
                .isPresent();
    }

    @Test
    void faultsAreSetAndClearedOnOneCluster() throws Exception {
        send("POST", "/clusters/worker-0001/faults", "{\"failShare\":1,\"failCode\":503}");
        int failing = ApiCaller.of(new ClusterTarget(clusters.cluster(1)))
                .get("/api/v1/namespaces")
                .code();
        int other = ApiCaller.of(new ClusterTarget(clusters.cluster(2)))
                .get("/api/v1/namespaces")
                .code();
        send("DELETE", "/clusters/worker-0001/faults", "");

        assertThat(failing).isEqualTo(503);
        assertThat(other).isEqualTo(200);
        assertThat(ApiCaller.of(new ClusterTarget(clusters.cluster(1)))
                        .get("/api/v1/namespaces")
                        .code())
                .isEqualTo(200);
    }

    @Test
    void countersAreRead() throws Exception {
        ApiCaller.of(new ClusterTarget(clusters.cluster(0))).get("/api/v1/nodes");

        JsonNode counters = send("GET", "/clusters/management/counters", "");

        assertThat(counters).anySatisfy(each -> {
            assertThat(each.path("resource").asText()).isEqualTo("nodes");
            assertThat(each.path("verb").asText()).isEqualTo("list");
            assertThat(each.path("count").asInt()).isPositive();
        });
    }

    @Test
    void clustersAndMachinesAreListed() throws Exception {
        assertThat(send("GET", "/clusters", "")).hasSize(3);
        assertThat(send("GET", "/machines", "").path("running").asInt()).isZero();
        assertThat(send("GET", "/published", "").path("pending").asInt()).isZero();
        assertThat(send("GET", "/clusters/worker-0002/kubeconfig", "")
                        .path("current-context")
                        .asText())
                .isEqualTo("worker-0002");
    }

    @Test
    void mistakesAreNamed() throws Exception {
        assertThat(send("POST", "/clusters/nope/faults", "{}").path("error").asText())
                .isEqualTo("unknown cluster nope");
        assertThat(send("POST", "/clusters/*/faults", "{\"typo\":1}")
                        .path("error")
                        .asText())
                .isEqualTo("unknown fault \"typo\"");
        assertThat(send("POST", "/clusters/*/objects", "{\"apiVersion\":\"v1\",\"kind\":\"Nope\"}")
                        .path("error")
                        .asText())
                .isEqualTo("unknown kind Nope of v1");
    }

    @Test
    void theCommandLineNamesWhatItCannotUse() {
        StringWriter errors = new StringWriter();
        CommandLine command = Simulator.commandLine().setErr(new PrintWriter(errors, true));

        ParseResult parsed = command.parseArgs("--clusters", "5", "--rbac");
        Integer clusters = parsed.matchedOptionValue("--clusters", 0);
        int notANumber = command.execute("--clusters", "many");
        int unknown = command.execute("--clutsers");

        assertThat(clusters).isEqualTo(5);
        assertThat(parsed.hasMatchedOption("--rbac")).isTrue();
        assertThat(List.of(notANumber, unknown)).containsOnly(2);
        assertThat(errors.toString().lines())
                .containsExactly(
                        "sim: Invalid value for option '--clusters': 'many' is not an int",
                        "sim: Unknown option: '--clutsers'");
    }

    private JsonNode send(String method, String path, String body) throws IOException, InterruptedException {
        HttpRequest request = HttpRequest.newBuilder(URI.create(admin.url() + path))
                .method(method, HttpRequest.BodyPublishers.ofString(body))
                .build();
        return JsonTrees.parse(
                http.send(request, HttpResponse.BodyHandlers.ofByteArray()).body());
    }
}
