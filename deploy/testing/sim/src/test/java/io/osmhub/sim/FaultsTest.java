package io.osmhub.sim;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.sim.contract.ApiCaller;
import io.osmhub.sim.contract.ApiCaller.Reply;
import io.osmhub.sim.contract.ContractAwait;
import io.osmhub.sim.contract.PortTarget;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import io.osmhub.sim.faults.RemoteApiServer;
import io.osmhub.sim.http.EventLoop;
import io.osmhub.sim.http.SimulatedRequest;
import io.osmhub.sim.http.SimulatedRequest.HttpContent;
import io.osmhub.sim.http.SimulatedResponse;
import io.vertx.core.Vertx;
import java.io.ByteArrayOutputStream;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What the faults of a simulated cluster leave in its store and its counters; {@code FaultsContract} tries each of them. */
final class FaultsTest {
    private static final String CONFIG_MAPS = "/api/v1/namespaces/default/configmaps";

    private static SimulatedClusters clusters;
    private SimulatedCluster cluster;
    private ApiCaller api;

    @BeforeAll
    static void start() {
        clusters = SimulatedClusters.start(0, SimulationOptions.defaults());
    }

    @AfterAll
    static void stop() {
        clusters.close();
    }

    @BeforeEach
    void addCluster() {
        cluster = clusters.add("faulty");
        api = caller();
    }

    @Test
    void aCompactedRevisionIsGone() {
        create("a");
        long old = cluster.objects().revision();
        create("b");
        cluster.objects().compact();

        try (ApiCaller.OpenWatch watch = api.watch(CONFIG_MAPS + "?watch=true&resourceVersion=" + old)) {
            assertThat(watch.next().at("/object/code").asInt()).isEqualTo(410);
        }
    }

    @Test
    void requestsAreCountedByVerbResourceUserAndCode() {
        create("a");
        api.get(CONFIG_MAPS + "/a");
        api.get(CONFIG_MAPS + "/nope");
        api.as("wrong").get(CONFIG_MAPS);

        assertThat(cluster.counters().all().toString())
                .contains("RequestSeries[verb=create, resource=configmaps, user=kubernetes-admin, code=201]=1")
                .contains("RequestSeries[verb=get, resource=configmaps, user=kubernetes-admin, code=200]=1")
                .contains("RequestSeries[verb=get, resource=configmaps, user=kubernetes-admin, code=404]=1")
                .contains("RequestSeries[verb=list, resource=configmaps, user=system:anonymous, code=401]=1");
        assertThat(cluster.counters().total("", "configmaps")).isEqualTo(4);
    }

    @Test
    void aRequestIsCountedWhetherItIsPassedOnOrNot() {
        cluster.faults()
                .script(request ->
                        request.verb().equals("create") ? new FaultAction.DropResponse() : FaultAction.fail(503));

        assertThatThrownBy(() -> create("a")).isInstanceOf(UncheckedIOException.class);
        assertThat(caller().get(CONFIG_MAPS).code()).isEqualTo(503);

        assertThat(cluster.objects().get("v1", "ConfigMap", "default", "a")).isPresent();
        assertThat(cluster.counters().total("", "configmaps")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "?watch=true"})
    void anAnswerThatIsNotPassedOnKeepsNoConnection(String query) {
        AtomicReference<FaultAction> action = new AtomicReference<>(new FaultAction.FailResponse(500));
        try (FaultyPort port = FaultyPort.open(cluster.url(), cluster.caPem())) {
            port.faults().script(_ -> action.get());

            assertThat(caller(port).get(CONFIG_MAPS + query).code()).isEqualTo(500);
            awaitNoConnections();
            action.set(new FaultAction.DropResponse());
            assertThatThrownBy(() -> caller(port).get(CONFIG_MAPS + query)).isInstanceOf(UncheckedIOException.class);
            awaitNoConnections();
        }
    }

    @Test
    void anAnswerForAClientThatHasGoneKeepsNoConnection() {
        try (FaultyPort port = FaultyPort.open(cluster.url(), cluster.caPem())) {
            CompletableFuture<Reply> reply = requestWhileTheServerIsSilent(port);
            port.faults().closeConnections();
            assertThatThrownBy(reply::join).hasCauseInstanceOf(UncheckedIOException.class);

            cluster.faults().blackHole(false);

            ContractAwait.until(
                    "the request is served", () -> cluster.counters().total("", "configmaps") == 1);
            awaitNoConnections();
        }
    }

    @Test
    void aSeatIsTakenUntilTheServerAnswers() {
        try (FaultyPort port = FaultyPort.open(cluster.url(), cluster.caPem())) {
            port.faults().seats(1);
            CompletableFuture<Reply> reply = requestWhileTheServerIsSilent(port);

            assertThat(caller(port).get(CONFIG_MAPS).code()).isEqualTo(429);

            cluster.faults().blackHole(false);
            assertThat(reply.join().code()).isEqualTo(200);
            assertThat(caller(port).get(CONFIG_MAPS).code()).isEqualTo(200);
        }
    }

    @Test
    void aLongAnswerIsReadAsFastAsItIsTaken() {
        String value = "x".repeat(1_000_000);
        api.create(CONFIG_MAPS, "{\"metadata\":{\"name\":\"long\"},\"data\":{\"v\":\"%s\"}}".formatted(value));
        Vertx vertx = Vertx.vertx();
        try {
            RemoteApiServer server = new RemoteApiServer(vertx, cluster.url(), cluster.caPem());
            SimulatedRequest request = new SimulatedRequest(new HttpContent(
                    "GET", CONFIG_MAPS, Map.of("Authorization", "Bearer " + cluster.adminToken()), new byte[0], null));
            ByteArrayOutputStream received = new ByteArrayOutputStream();
            CompletableFuture<Void> taken = new CompletableFuture<>();
            CompletableFuture<Void> ended = new CompletableFuture<>();
            requireNonNull(send(server, request).stream())
                    .start(
                            new DirectLoop(),
                            piece -> {
                                received.writeBytes(piece);
                                return taken;
                            },
                            () -> ended.complete(null));
            send(server, request).discard();
            assertThat(received.size()).isLessThan(100_000);

            taken.complete(null);
            ended.join();
            assertThat(received.toString(UTF_8)).contains(value);
        } finally {
            SimulatedClusters.await(vertx.close());
        }
    }

    private static SimulatedResponse send(RemoteApiServer server, SimulatedRequest request) {
        return server.send(request).toCompletionStage().toCompletableFuture().join();
    }

    private record DirectLoop() implements EventLoop {
        @Override
        public void execute(Runnable task) {
            task.run();
        }

        @Override
        public Runnable schedule(Duration delay, Runnable task) {
            throw new UnsupportedOperationException();
        }
    }

    /** Returns when a port has passed it on. */
    private CompletableFuture<Reply> requestWhileTheServerIsSilent(FaultyPort port) {
        cluster.faults().blackHole(true);
        CompletableFuture<Void> passed = new CompletableFuture<>();
        port.faults().script(_ -> {
            passed.complete(null);
            return FaultAction.PASS;
        });
        CompletableFuture<Reply> reply = CompletableFuture.supplyAsync(
                () -> caller(port).get(CONFIG_MAPS), Executors.newVirtualThreadPerTaskExecutor());
        passed.join();
        return reply;
    }

    private void awaitNoConnections() {
        ContractAwait.until("the connection to the server is closed", () -> cluster.connections() == 0);
    }

    private ApiCaller caller(FaultyPort port) {
        return ApiCaller.of(new PortTarget(port, cluster.adminToken()));
    }

    private ApiCaller caller() {
        return ApiCaller.of(new ClusterTarget(cluster));
    }

    private Reply create(String name) {
        return api.create(CONFIG_MAPS, "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
    }
}
