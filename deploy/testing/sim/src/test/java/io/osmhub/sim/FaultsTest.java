package io.osmhub.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.sim.contract.ApiCaller;
import io.osmhub.sim.contract.ApiCaller.Reply;
import io.osmhub.sim.contract.ContractAwait;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import io.osmhub.sim.faults.ClusterFaults.MemoryAttack;
import io.osmhub.sim.faults.ClusterFaults.ServedCertificate;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault switch does what it says, and the cluster is well again afterwards. */
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

    @AfterEach
    void isWellAfterwards() {
        cluster.faults().clear();

        ContractAwait.until("the cluster answers again", () -> {
            try {
                return caller().get(CONFIG_MAPS).code() == 200;
            } catch (UncheckedIOException stillClosed) {
                return false;
            }
        });
    }

    @Test
    void theNextRequestsFail() {
        cluster.faults().failNext(2, 503);

        assertThat(api.get(CONFIG_MAPS).code()).isEqualTo(503);
        assertThat(create("a").code()).isEqualTo(503);
        assertThat(create("a").code()).isEqualTo(201);
    }

    @Test
    void throttledRequestsAreToldWhenToComeBack() {
        cluster.faults().throttle(1, Duration.ofSeconds(7));

        Reply throttled = api.get(CONFIG_MAPS);

        assertThat(throttled.errorSummary()).isEqualTo("429 TooManyRequests");
        assertThat(throttled.response().headers().firstValue("Retry-After")).contains("7");
    }

    @Test
    void aRequestWithoutASeatIsRefused() {
        cluster.faults().seats(1);
        assertThat(cluster.faults().tryAcquireSlot()).isTrue();

        Reply refused = api.get(CONFIG_MAPS);
        cluster.faults().releaseSlot();

        assertThat(refused.errorSummary()).isEqualTo("429 TooManyRequests");
        assertThat(api.get(CONFIG_MAPS).code()).isEqualTo(200);
    }

    @Test
    void answersComeLater() {
        cluster.faults().latency(Duration.ofMillis(300));
        long before = System.nanoTime();

        api.get(CONFIG_MAPS);

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void aScriptDecidesByTheRequest() {
        cluster.faults()
                .script(request ->
                        request.verb().equals("create") && request.name().isEmpty()
                                ? FaultAction.fail(409)
                                : FaultAction.PASS);

        assertThat(create("a").code()).isEqualTo(409);
        assertThat(api.get(CONFIG_MAPS).code()).isEqualTo(200);
    }

    @Test
    void aDroppedAnswerLeavesTheWriteDone() {
        cluster.faults()
                .script(request -> request.verb().equals("create") ? new FaultAction.DropResponse() : FaultAction.PASS);

        assertThatThrownBy(() -> create("a")).isInstanceOf(UncheckedIOException.class);

        assertThat(cluster.objects().get("v1", "ConfigMap", "default", "a")).isPresent();
    }

    @Test
    void aFailedAnswerLeavesTheWriteDone() {
        cluster.faults()
                .script(request ->
                        request.verb().equals("create") ? new FaultAction.FailResponse(500) : FaultAction.PASS);

        assertThat(create("a").code()).isEqualTo(500);

        assertThat(cluster.objects().get("v1", "ConfigMap", "default", "a")).isPresent();
    }

    @Test
    void aDroppedRequestIsNotCarriedOut() {
        cluster.faults().script(request -> request.verb().equals("create") ? new FaultAction.Drop() : FaultAction.PASS);

        assertThatThrownBy(() -> create("a")).isInstanceOf(UncheckedIOException.class);

        assertThat(cluster.objects().get("v1", "ConfigMap", "default", "a")).isEmpty();
    }

    @Test
    void anAttackByPagesHasValidObjectsAndAlwaysANextPage() {
        cluster.faults().attack(MemoryAttack.ENDLESS_PAGES);

        Reply page = api.get(CONFIG_MAPS);

        assertThat(page.body().path("items")).hasSize(500);
        assertThat(page.text("/metadata/continue")).isNotEmpty();
        assertThat(page.response().body()).hasSizeGreaterThan(10_000_000);
    }

    @Test
    void openWatchesEnd() {
        try (ApiCaller.OpenWatch watch = watch()) {
            cluster.faults().endWatches();

            assertThat(watch.readToEnd()).isEmpty();
        }
    }

    @Test
    void newWatchesAreGone() {
        cluster.faults().watchesAreGone(true);

        try (ApiCaller.OpenWatch watch = watch()) {
            assertThat(watch.code()).isEqualTo(410);
        }
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
    void aBlackHoleAnswersNothingOnOpenAndNewConnectionsUntilItHeals() {
        create("before");
        try (ApiCaller.OpenWatch watch = watch()) {
            cluster.faults().blackHole(true);

            CompletableFuture<Reply> open = inBackground(() -> api.get(CONFIG_MAPS));
            ApiCaller other = caller();
            CompletableFuture<Reply> fresh = inBackground(() -> other.get(CONFIG_MAPS));
            cluster.objects().create(configMap("meanwhile"));
            settle();
            assertThat(open).isNotDone();
            assertThat(fresh).isNotDone();
            cluster.faults().blackHole(false);

            assertThat(open.join().code()).isEqualTo(200);
            assertThat(fresh.join().code()).isEqualTo(200);
            assertThat(watch.nextSummary()).isEqualTo("ADDED meanwhile");
        }
    }

    @Test
    void aSlowDripBringsEverythingByteByByte() {
        create("a");
        cluster.faults().slowDrip(3, Duration.ofMillis(1));

        assertThat(api.get(CONFIG_MAPS + "/a").text("/metadata/name")).isEqualTo("a");
    }

    @Test
    void refusedConnectionsComeBackOnTheSamePort() {
        int port = cluster.port();
        cluster.faults().refuseConnections(true);

        ContractAwait.until("connections are refused", () -> {
            try {
                caller().get(CONFIG_MAPS);
                return false;
            } catch (UncheckedIOException refused) {
                return refused.getCause() instanceof ConnectException;
            }
        });
        cluster.faults().refuseConnections(false);

        ContractAwait.until("connections are accepted", () -> {
            try {
                return caller().get(CONFIG_MAPS).code() == 200;
            } catch (UncheckedIOException notYet) {
                return false;
            }
        });
        assertThat(cluster.port()).isEqualTo(port);
    }

    @Test
    void expiredCredentialsAreUnauthorized() {
        cluster.faults().credentialsExpired(true);

        assertThat(api.get(CONFIG_MAPS).errorSummary()).isEqualTo("401 Unauthorized");
        assertThat(api.get("/healthz").code()).isEqualTo(200);
    }

    @Test
    void aRenewedCertificateIsTrustedAndAForeignOneIsNot() {
        cluster.faults().serveCertificate(ServedCertificate.RENEWED);
        assertThat(caller().get(CONFIG_MAPS).code()).isEqualTo(200);

        cluster.faults().serveCertificate(ServedCertificate.FOREIGN);
        assertThatThrownBy(() -> caller().get(CONFIG_MAPS)).hasCauseInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void closedConnectionsAreOpenedAgainByTheClient() {
        try (ApiCaller.OpenWatch watch = watch()) {
            cluster.faults().closeConnections();

            assertThat(watch.readToEnd()).isEmpty();
        }
        ContractAwait.until("the client has noticed", () -> {
            try {
                return api.get(CONFIG_MAPS).code() == 200;
            } catch (UncheckedIOException closed) {
                return false;
            }
        });
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

    // Long enough for an answer that must not come to have come, if it did.
    private void settle() {
        ContractAwait.until("a whole round trip on a healthy cluster", () -> {
            SimulatedCluster healthy = clusters.add("healthy");
            return ApiCaller.of(new ClusterTarget(healthy)).get(CONFIG_MAPS).code() == 200;
        });
    }

    private ApiCaller caller() {
        return ApiCaller.of(new ClusterTarget(cluster));
    }

    private ApiCaller.OpenWatch watch() {
        return api.watch(
                CONFIG_MAPS + "?watch=true&resourceVersion=" + cluster.objects().revision());
    }

    private Reply create(String name) {
        return api.create(CONFIG_MAPS, "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
    }

    private static String configMap(String name) {
        return "{\"apiVersion\":\"v1\",\"kind\":\"ConfigMap\",\"metadata\":{\"name\":\"%s\",\"namespace\":\"default\"}}"
                .formatted(name);
    }

    private static CompletableFuture<Reply> inBackground(java.util.function.Supplier<Reply> request) {
        return CompletableFuture.supplyAsync(request, Executors.newVirtualThreadPerTaskExecutor());
    }
}
