package io.osmhub.sim.contract;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.sim.FaultyPort;
import io.osmhub.sim.contract.ApiCaller.Reply;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import io.osmhub.sim.faults.ClusterFaults.MemoryAttack;
import io.osmhub.sim.faults.ClusterFaults.ServedCertificate;
import java.io.UncheckedIOException;
import java.net.ConnectException;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executors;
import java.util.function.Supplier;
import javax.net.ssl.SSLHandshakeException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Each fault of a port in front of an API server does what it says, and the server is reached again afterwards. */
public abstract class FaultsContract extends ContractCase {
    private FaultyPort port;
    private ClusterFaults faults;
    private ApiCaller proxied;

    @BeforeEach
    void openPort() {
        port = FaultyPort.open(target().url(), target().caPem());
        faults = port.faults();
        proxied = caller();
    }

    @AfterEach
    void isWellAfterwards() {
        try (FaultyPort closing = port) {
            closing.faults().clear();
            awaitReply();
        }
    }

    @Test
    void theNextRequestsFail() {
        faults.failNext(2, 503);

        assertThat(proxied.get(configMaps()).code()).isEqualTo(503);
        assertThat(create("a").code()).isEqualTo(503);
        assertThat(create("a").code()).isEqualTo(201);
    }

    @Test
    void throttledRequestsAreToldWhenToComeBack() {
        faults.throttle(1, Duration.ofSeconds(7));

        Reply throttled = proxied.get(configMaps());

        assertThat(throttled.errorSummary()).isEqualTo("429 TooManyRequests");
        assertThat(throttled.response().headers().firstValue("Retry-After")).contains("7");
    }

    @Test
    void aRequestWithoutASeatIsRefused() {
        faults.seats(1);
        assertThat(faults.tryAcquireSlot()).isTrue();

        Reply refused = proxied.get(configMaps());
        faults.releaseSlot();

        assertThat(refused.errorSummary()).isEqualTo("429 TooManyRequests");
        assertThat(proxied.get(configMaps()).code()).isEqualTo(200);
    }

    @Test
    void answersComeLater() {
        faults.latency(Duration.ofMillis(300));
        long before = System.nanoTime();

        proxied.get(configMaps());

        assertThat(Duration.ofNanos(System.nanoTime() - before)).isGreaterThanOrEqualTo(Duration.ofMillis(300));
    }

    @Test
    void aScriptDecidesByTheRequest() {
        faults.script(request ->
                request.verb().equals("create") && request.name().isEmpty() ? FaultAction.fail(409) : FaultAction.PASS);

        assertThat(create("a").code()).isEqualTo(409);
        assertThat(proxied.get(configMaps()).code()).isEqualTo(200);
    }

    @Test
    void aDroppedAnswerLeavesTheWriteDone() {
        faults.script(request -> request.verb().equals("create") ? new FaultAction.DropResponse() : FaultAction.PASS);

        assertThatThrownBy(() -> create("a")).isInstanceOf(UncheckedIOException.class);

        assertThat(api.get(path("configmaps/a")).code()).isEqualTo(200);
    }

    @Test
    void aFailedAnswerLeavesTheWriteDone() {
        faults.script(
                request -> request.verb().equals("create") ? new FaultAction.FailResponse(500) : FaultAction.PASS);

        assertThat(create("a").code()).isEqualTo(500);

        assertThat(api.get(path("configmaps/a")).code()).isEqualTo(200);
    }

    @Test
    void aDroppedRequestIsNotCarriedOut() {
        faults.script(request -> request.verb().equals("create") ? new FaultAction.Drop() : FaultAction.PASS);

        assertThatThrownBy(() -> create("a")).isInstanceOf(UncheckedIOException.class);

        assertThat(api.get(path("configmaps/a")).code()).isEqualTo(404);
    }

    @Test
    void anAttackByPagesHasValidObjectsAndAlwaysANextPage() {
        faults.attack(MemoryAttack.ENDLESS_PAGES);

        Reply page = proxied.get(configMaps());

        assertThat(page.body().path("items")).hasSize(500);
        assertThat(page.text("/metadata/continue")).isNotEmpty();
        assertThat(page.response().body()).hasSizeGreaterThan(10_000_000);
    }

    @Test
    void openWatchesEnd() {
        try (ApiCaller.OpenWatch watch = watch()) {
            faults.endWatches();

            assertThat(watch.readToEnd()).isEmpty();
        }
    }

    @Test
    void newWatchesAreGone() {
        faults.watchesAreGone(true);

        try (ApiCaller.OpenWatch watch = watch()) {
            assertThat(watch.code()).isEqualTo(410);
        }
    }

    @Test
    void aBlackHoleAnswersNothingOnOpenAndNewConnectionsUntilItHeals() {
        create("before");
        // Without connections that an earlier test has closed: the hole would hide that until it heals.
        ApiCaller known = caller();
        known.get(configMaps());
        try (ApiCaller.OpenWatch watch = watch()) {
            faults.blackHole(true);

            CompletableFuture<Reply> open = inBackground(() -> known.get(configMaps()));
            ApiCaller other = caller();
            CompletableFuture<Reply> fresh = inBackground(() -> other.get(configMaps()));
            configMap("meanwhile", "x");
            settle();
            assertThat(open).isNotDone();
            assertThat(fresh).isNotDone();
            faults.blackHole(false);

            assertThat(open.join().code()).isEqualTo(200);
            assertThat(fresh.join().code()).isEqualTo(200);
            assertThat(watch.nextSummary()).isEqualTo("ADDED meanwhile");
        }
    }

    @Test
    void aSlowDripBringsEverythingByteByByte() {
        create("a");
        faults.slowDrip(3, Duration.ofMillis(1));

        assertThat(proxied.get(configMaps() + "/a").text("/metadata/name")).isEqualTo("a");
    }

    @Test
    void refusedConnectionsComeBackOnTheSamePort() {
        String url = port.url();
        faults.refuseConnections(true);

        ContractAwait.until("connections are refused", () -> {
            try {
                caller().get(configMaps());
                return false;
            } catch (UncheckedIOException refused) {
                return refused.getCause() instanceof ConnectException;
            }
        });
        faults.refuseConnections(false);

        awaitReply();
        assertThat(port.url()).isEqualTo(url);
    }

    @Test
    void thePortFollowsTheLastOfQuickChanges() {
        for (int i = 0; i < 5; i++) {
            faults.refuseConnections(true);
            faults.refuseConnections(false);
        }
        awaitReply();

        for (int i = 0; i < 5; i++) {
            faults.refuseConnections(true);
            faults.refuseConnections(false);
        }
        faults.refuseConnections(true);
        settle();
        assertThatThrownBy(() -> caller().get(configMaps())).hasCauseInstanceOf(ConnectException.class);
    }

    @Test
    void expiredCredentialsAreUnauthorized() {
        faults.credentialsExpired(true);

        assertThat(proxied.get(configMaps()).errorSummary()).isEqualTo("401 Unauthorized");
        assertThat(proxied.get("/healthz").code()).isEqualTo(200);
    }

    @Test
    void aRenewedCertificateIsTrustedAndAForeignOneIsNot() {
        faults.serveCertificate(ServedCertificate.RENEWED);
        assertThat(caller().get(configMaps()).code()).isEqualTo(200);

        faults.serveCertificate(ServedCertificate.FOREIGN);
        assertThatThrownBy(() -> caller().get(configMaps())).hasCauseInstanceOf(SSLHandshakeException.class);
    }

    @Test
    void closedConnectionsAreOpenedAgainByTheClient() {
        try (ApiCaller.OpenWatch watch = watch()) {
            faults.closeConnections();

            assertThat(watch.readToEnd()).isEmpty();
        }
        ContractAwait.until("the client has noticed", () -> {
            try {
                return proxied.get(configMaps()).code() == 200;
            } catch (UncheckedIOException closed) {
                return false;
            }
        });
    }

    // Long enough for an answer that must not come to have come, if it did.
    private void settle() {
        try (FaultyPort healthy = FaultyPort.open(target().url(), target().caPem())) {
            ok(caller(healthy).get(configMaps()));
        }
    }

    private void awaitReply() {
        ContractAwait.until("the server answers again", () -> {
            try {
                return caller().get(configMaps()).code() == 200;
            } catch (UncheckedIOException stillClosed) {
                return false;
            }
        });
    }

    private String configMaps() {
        return path("configmaps");
    }

    private ApiCaller caller() {
        return caller(port);
    }

    private ApiCaller caller(FaultyPort open) {
        return ApiCaller.of(new PortTarget(open, target().token()));
    }

    private ApiCaller.OpenWatch watch() {
        String revision = api.get(configMaps()).revision();
        return proxied.watch(configMaps() + "?watch=true&resourceVersion=" + revision);
    }

    private Reply create(String name) {
        return proxied.create(configMaps(), "{\"metadata\":{\"name\":\"%s\"}}".formatted(name));
    }

    private static CompletableFuture<Reply> inBackground(Supplier<Reply> request) {
        return CompletableFuture.supplyAsync(request, Executors.newVirtualThreadPerTaskExecutor());
    }
}
