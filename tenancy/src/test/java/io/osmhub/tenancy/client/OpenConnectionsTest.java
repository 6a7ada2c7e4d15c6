package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.NetServer;
import io.vertx.core.net.NetSocket;
import io.vertx.junit5.VertxExtension;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(VertxExtension.class)
class OpenConnectionsTest {
    private static final ApiRequest WATCH = ApiRequest.watch(Resource.SECRETS, "ns", Map.of());

    @RegisterExtension
    static final ClientFixture FIXTURE = new ClientFixture();

    @BeforeAll
    static void start(Vertx vertx) {
        FIXTURE.use(vertx);
    }

    /** Counts a watch's events. */
    private static final class Counts implements WatchLineHandler {
        private final AtomicInteger opened = new AtomicInteger();
        private final AtomicInteger over = new AtomicInteger();

        @Override
        public void onOpened() {
            opened.incrementAndGet();
        }

        @Override
        public void onLine(byte[] json, UnaryOperator<String> redactor) {}

        @Override
        public void onEnded() {
            over.incrementAndGet();
        }

        @Override
        public void onFailed(ApiFailure failure) {
            over.incrementAndGet();
        }
    }

    private static void answer(HttpServerRequest request) {
        if (request.uri().contains("watch=true")) {
            request.response()
                    .putHeader("Content-Type", "application/json")
                    .setChunked(true)
                    .write("\n");
        } else {
            TestApiServer.json(request, "{}");
        }
    }

    /** Forwards bytes, or drops them while the connection stays open. */
    private static final class BlackHole implements AutoCloseable {
        private final AtomicBoolean swallows = new AtomicBoolean();
        private final NetServer server;

        BlackHole(Vertx vertx, int port) {
            server = vertx.createNetServer().connectHandler(socket -> {
                socket.pause();
                vertx.createNetClient().connect(port, "127.0.0.1").onSuccess(to -> {
                    join(socket, to);
                    join(to, socket);
                    socket.resume();
                });
            });
            server.listen(0, "127.0.0.1")
                    .toCompletionStage()
                    .toCompletableFuture()
                    .join();
        }

        private void join(NetSocket from, NetSocket to) {
            from.handler(bytes -> {
                if (!swallows.get()) {
                    to.write(bytes);
                }
            });
            from.closeHandler(closed -> to.close());
        }

        @Override
        public void close() {
            server.close().toCompletionStage().toCompletableFuture().join();
        }
    }

    @Test
    void fiveWatchesAndFiftyRequestsShareOneSocketFromTheStart() throws InterruptedException {
        TestApiServer server = FIXTURE.server(OpenConnectionsTest::answer);
        ClientPool pool = FIXTURE.pool();
        ApiClient client =
                pool.worker(server.access(), ClientLimits.WORKER, RequestObserver.NONE, ConnectionObserver.NONE);
        Counts watches = new Counts();
        CountDownLatch answered = new CountDownLatch(50);

        for (int i = 0; i < 5; i++) {
            client.api().watch(WATCH, watches);
        }
        for (int i = 0; i < 50; i++) {
            String name = "s" + i;
            Thread.ofVirtual().start(() -> {
                try {
                    client.api().send(ApiRequest.get(Resource.SECRETS, "ns", name));
                    answered.countDown();
                } catch (ApiFailure failure) {
                    throw new AssertionError(failure);
                }
            });
        }

        assertThat(answered.await(30, TimeUnit.SECONDS)).isTrue();
        Await.until(() -> watches.opened.get() == 5);
        assertThat(server.opened()).isEqualTo(1);
        assertThat(client.openConnections()).isEqualTo(1);
        assertThat(pool.openConnections()).isEqualTo(1);
    }

    @Test
    void aLiveConnectionAnswersPings() throws ApiFailure {
        TestApiServer server = FIXTURE.server(OpenConnectionsTest::answer);
        ApiClient client = FIXTURE.client(server.access());
        assertThat(client.ping(Duration.ofSeconds(10)).join()).isZero();

        client.read("/version");

        assertThat(client.ping(Duration.ofSeconds(10)).join()).isZero();
        assertThat(client.isConnected()).isTrue();
    }

    @Test
    void unansweredPingsAreCountedUntilOneIsAnswered() throws ApiFailure {
        TestApiServer server = FIXTURE.server(OpenConnectionsTest::answer);
        try (BlackHole way = new BlackHole(FIXTURE.vertx(), server.port())) {
            AtomicInteger unanswered = new AtomicInteger();
            ServerAccess direct = server.access();
            ServerAccess through = new ServerAccess(
                    java.net.URI.create("https://worker.example:" + way.server.actualPort()),
                    direct.trust(),
                    direct.authentication(),
                    "",
                    direct.address(),
                    null);
            ApiClient client = FIXTURE.pool()
                    .worker(through, ClientLimits.WORKER, RequestObserver.NONE, new ConnectionObserver() {
                        @Override
                        public void onPingTimeout() {
                            unanswered.incrementAndGet();
                        }
                    });
            Counts watch = new Counts();
            client.api().watch(WATCH, watch);
            client.read("/version");
            way.swallows.set(true);

            assertThat(client.ping(Duration.ofMillis(100)).join()).isEqualTo(1);
            assertThat(client.ping(Duration.ofMillis(100)).join()).isEqualTo(2);
            assertThat(client.ping(Duration.ofMillis(100)).join()).isEqualTo(3);
            assertThat(unanswered).hasValue(3);
            assertThat(watch.over).hasValue(0);

            client.close();
            Await.until(() -> watch.over.get() == 1);
        }
    }

    @Test
    void aClientThatKeepsItselfAliveClosesWhatDoesNotAnswer() throws ApiFailure {
        TestApiServer server = FIXTURE.server(OpenConnectionsTest::answer);
        try (BlackHole way = new BlackHole(FIXTURE.vertx(), server.port())) {
            ServerAccess direct = server.access();
            ServerAccess through = new ServerAccess(
                    java.net.URI.create("https://worker.example:" + way.server.actualPort()),
                    direct.trust(),
                    direct.authentication(),
                    "",
                    direct.address(),
                    null);
            ApiClient client = FIXTURE.client(through).keepAlive(FIXTURE.vertx(), Duration.ofMillis(200), 2);
            Counts watch = new Counts();
            client.api().watch(WATCH, watch);
            client.read("/version");

            way.swallows.set(true);

            Await.until(() -> watch.over.get() == 1);
            way.swallows.set(false);
            assertThat(client.read("/version").body()).hasSize(2);
        }
    }

    @Test
    void aSilentConnectionIsClosedInTheEnd() throws ApiFailure {
        TestApiServer server = FIXTURE.server(OpenConnectionsTest::answer);
        ApiClient client = FIXTURE.client(server.access(), ClientLimits.WORKER.withReadIdle(Duration.ofMillis(200)));
        Counts watch = new Counts();
        client.api().watch(WATCH, watch);
        client.read("/version");

        Await.until(() -> watch.over.get() == 1);

        // Streams end shortly before the connection is no longer counted.
        Await.until(() -> !client.isConnected());
    }

    @Test
    void anAnsweredPingKeepsASilentConnectionOpen() throws ApiFailure {
        TestApiServer server = FIXTURE.server(OpenConnectionsTest::answer);
        ApiClient client = FIXTURE.client(server.access(), ClientLimits.WORKER.withReadIdle(Duration.ofSeconds(2)));
        Counts watch = new Counts();
        client.api().watch(WATCH, watch);
        client.read("/version");
        long begun = System.nanoTime();

        while (System.nanoTime() - begun < Duration.ofSeconds(3).toNanos()) {
            assertThat(client.ping(Duration.ofSeconds(10)).join()).isZero();
            LockSupport.parkNanos(Duration.ofMillis(100).toNanos());
        }

        assertThat(watch.over).hasValue(0);
        assertThat(server.opened()).isEqualTo(1);
    }

    @Test
    void afterAGoAwayNewRequestsTakeANewConnectionAndRunningOnesEndWell() throws Exception {
        AtomicBoolean finish = new AtomicBoolean();
        TestApiServer server = FIXTURE.server(request -> {
            if (request.path().endsWith("/slow")) {
                request.connection().goAway(0, Integer.MAX_VALUE);
                FIXTURE.vertx().setPeriodic(10, timer -> {
                    if (finish.get()) {
                        FIXTURE.vertx().cancelTimer(timer);
                        TestApiServer.json(request, "{}");
                        FIXTURE.vertx()
                                .setTimer(500, later -> request.connection().close());
                    }
                });
            } else {
                TestApiServer.json(request, "{}");
            }
        });
        List<String> seen = new ArrayList<>();
        ConcurrentLinkedQueue<String> changes = new ConcurrentLinkedQueue<>();
        ApiClient client = FIXTURE.pool()
                .worker(server.access(), ClientLimits.WORKER, RequestObserver.NONE, new ConnectionObserver() {
                    @Override
                    public void onOpened() {
                        changes.add("opened");
                    }

                    @Override
                    public void onGoAway() {
                        changes.add("leaving");
                    }

                    @Override
                    public void onClosed(int left) {
                        changes.add("closed, left " + left);
                    }
                });
        Thread slow = Thread.ofVirtual().start(() -> {
            try {
                client.api().send(ApiRequest.get(Resource.SECRETS, "ns", "slow"));
                seen.add("answered");
            } catch (ApiFailure failure) {
                seen.add(failure.text());
            }
        });
        Await.until(() -> changes.contains("leaving"));

        client.read("/version");
        finish.set(true);

        slow.join(Duration.ofSeconds(20));
        assertThat(seen).containsExactly("answered");
        Await.until(() -> changes.contains("closed, left 1"));
        assertThat(changes).containsExactly("opened", "leaving", "opened", "closed, left 1");
        assertThat(client.openConnections()).isEqualTo(1);
    }

    @Test
    void aConnectionThatTheServerClosesIsMadeAnew() throws ApiFailure {
        TestApiServer server = FIXTURE.server(OpenConnectionsTest::answer);
        ApiClient client = FIXTURE.client(server.access());
        client.read("/version");

        server.connections().forEach(HttpConnection::close);
        Await.until(() -> !client.isConnected());
        client.read("/version");

        assertThat(server.opened()).isEqualTo(2);
    }

    @Test
    void closedHttp1ConnectionsAreRemoved() throws ApiFailure {
        TestApiServer server =
                FIXTURE.server(ClientFixture.CERTIFICATE, HttpVersion.HTTP_1_1, OpenConnectionsTest::answer);
        ConcurrentLinkedQueue<String> changes = new ConcurrentLinkedQueue<>();
        ApiClient client = FIXTURE.pool()
                .worker(server.access(), ClientLimits.WORKER, RequestObserver.NONE, new ConnectionObserver() {
                    @Override
                    public void onOpened() {
                        changes.add("opened");
                    }

                    @Override
                    public void onClosed(int left) {
                        changes.add("closed, left " + left);
                    }
                });
        client.read("/version");

        server.connections().forEach(HttpConnection::close);

        Await.until(() -> changes.contains("closed, left 0"));
        assertThat(changes).containsExactly("opened", "closed, left 0");
        assertThat(client.openConnections()).isZero();
    }
}
