package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.tenancy.lease.InFlightWrites;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.Resource;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.junit5.VertxExtension;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(VertxExtension.class)
final class ConcurrencyLimiterTest {
    @RegisterExtension
    private final ClientFixture clients = new ClientFixture();

    private static final Duration PATIENCE = Duration.ofMinutes(5);

    private final Semaphore places = new Semaphore(1000);
    private final ConcurrencyLimiter budget = new ConcurrencyLimiter(places, Duration.ofHours(1));
    private final Executor threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger underWay = new AtomicInteger();
    private final CountDownLatch answers = new CountDownLatch(1);
    private final List<CompletableFuture<String>> sent = new ArrayList<>();

    @AfterEach
    void answerAll() {
        answers.countDown();
    }

    private static ApiFailure tooMany(Duration retryAfter) {
        return new ApiFailure(
                ApiFailure.ApiFailureKind.ANSWERED,
                429,
                "TooManyRequests",
                "too many requests, please try again",
                retryAfter);
    }

    /** A request that completes with all others. */
    private void send() {
        sent.add(CompletableFuture.supplyAsync(
                () -> tried(budget, () -> {
                    underWay.incrementAndGet();
                    await(answers);
                    underWay.decrementAndGet();
                    return "done";
                }),
                threads));
    }

    private static void await(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Test
    void aServerThatIsOnlySlowIsNotSaidToReject() {
        for (int i = 0; i < ConcurrencyLimiter.CONCURRENT; i++) {
            send();
        }
        Awaitility.await().until(() -> underWay.get() == ConcurrencyLimiter.CONCURRENT);

        assertThatThrownBy(() -> budget.send(() -> "never", Duration.ofMillis(1)))
                .isInstanceOfSatisfying(ApiFailure.class, failure -> {
                    assertThat(failure.kind()).isEqualTo(ApiFailure.ApiFailureKind.TIMED_OUT);
                    assertThat(failure.text())
                            .isEqualTo("not sent: 64 requests to this API server have no response yet");
                });
    }

    @Test
    void aRefusedRequestIsSentAgain() throws ApiFailure {
        AtomicInteger tries = new AtomicInteger();

        String answer = budget.send(
                () -> {
                    if (tries.incrementAndGet() < 3) {
                        throw tooMany(Duration.ofMillis(1));
                    }
                    return "done";
                },
                PATIENCE);

        assertThat(answer).isEqualTo("done");
        assertThat(tries).hasValue(3);
    }

    @Test
    void noMoreThanAFixedNumberGoesAtOnce() {
        for (int i = 0; i < ConcurrencyLimiter.CONCURRENT + 5; i++) {
            send();
        }
        Await.until(() -> underWay.get() == ConcurrencyLimiter.CONCURRENT && budget.waiting() == 5);

        answers.countDown();
        assertThat(sent).allSatisfy(one -> assertThat(one.join()).isEqualTo("done"));
        assertThat(places.availablePermits()).isEqualTo(1000);
    }

    @Test
    void aServerWithFewSeatsSoonRejectsHardlyAny() {
        Semaphore seats = new Semaphore(4);
        AtomicInteger rejected = new AtomicInteger();
        for (int i = 0; i < ConcurrencyLimiter.CONCURRENT; i++) {
            sent.add(CompletableFuture.supplyAsync(
                    () -> tried(budget, () -> {
                        if (!seats.tryAcquire()) {
                            rejected.incrementAndGet();
                            throw tooMany(Duration.ofMillis(1));
                        }
                        try {
                            Thread.sleep(5);
                            return "done";
                        } catch (InterruptedException e) {
                            throw new IllegalStateException(e);
                        } finally {
                            seats.release();
                        }
                    }),
                    threads));
        }

        assertThat(sent).allSatisfy(one -> assertThat(one.join()).isEqualTo("done"));
        // All but four of the first ones, and one now and then to learn whether there are more seats.
        assertThat(rejected).hasValueBetween(1, 2 * ConcurrencyLimiter.CONCURRENT);
    }

    @Test
    void withoutRejectionsAsManyAsBeforeGoAtOnceAgain() throws ApiFailure {
        AtomicInteger tries = new AtomicInteger();
        budget.send(
                () -> {
                    if (tries.incrementAndGet() < 3) {
                        throw tooMany(Duration.ofMillis(1));
                    }
                    return "done";
                },
                PATIENCE);
        assertThat(budget.limit()).isEqualTo(ConcurrencyLimiter.CONCURRENT - 2);

        Await.until(
                () -> tried(budget, () -> "done").equals("done") && budget.limit() == ConcurrencyLimiter.CONCURRENT);
        for (int i = 0; i < ConcurrencyLimiter.CONCURRENT; i++) {
            send();
        }
        Await.until(() -> underWay.get() == ConcurrencyLimiter.CONCURRENT);
    }

    @Test
    void whereOneIsRefusedAllWaitAsLongAsTheServerAsks() {
        assertThatThrownBy(() -> budget.send(
                        () -> {
                            throw tooMany(Duration.ofHours(1));
                        },
                        PATIENCE))
                .isInstanceOf(ApiFailure.class);

        send();
        Await.until(() -> budget.waiting() == 1);

        assertThat(underWay).hasValue(0);
    }

    @Test
    void noMoreWaitThanLeaveRoomForOtherServers() {
        assertThatThrownBy(() -> budget.send(
                        () -> {
                            throw tooMany(Duration.ofHours(1));
                        },
                        PATIENCE))
                .isInstanceOf(ApiFailure.class);
        for (int i = 0; i < ConcurrencyLimiter.MOST_WAITING; i++) {
            send();
        }
        Await.until(() -> budget.waiting() == ConcurrencyLimiter.MOST_WAITING);

        assertThatThrownBy(() -> budget.send(() -> "done", PATIENCE))
                .isInstanceOf(ApiFailure.class)
                .hasMessageStartingWith("not sent");
    }

    @Test
    void thoseThatPauseAfterTheirRefusalCountAsWaiting() throws Exception {
        Semaphore onePlace = new Semaphore(1);
        ConcurrencyLimiter small = new ConcurrencyLimiter(onePlace, Duration.ofHours(1));
        CompletableFuture<?> pausing = refusedUntil(new CountDownLatch(0), small, Duration.ofMinutes(2));
        Await.until(() -> onePlace.availablePermits() == 0);

        ConcurrencyLimiter ofAnotherServer = new ConcurrencyLimiter(onePlace, Duration.ofHours(1));
        assertThatThrownBy(() -> ofAnotherServer.send(
                        () -> {
                            throw tooMany(Duration.ofMillis(1));
                        },
                        PATIENCE))
                .isInstanceOf(ApiFailure.class)
                .hasMessage("too many requests, please try again");
        assertThat(pausing).isNotDone();
    }

    @Test
    void whoWaitsIsSentWhenTheServerIsOpenAgain() throws Exception {
        CountDownLatch refuse = new CountDownLatch(1);
        List<CompletableFuture<String>> all = new ArrayList<>();
        for (int i = 0; i < 2; i++) {
            all.add(refusedUntil(refuse, budget, Duration.ofSeconds(1)));
        }
        Await.until(() -> underWay.get() == 2);
        answers.countDown();
        refuse.countDown();
        Await.until(() -> budget.waiting() == 2);
        for (int i = 0; i < 3; i++) {
            send();
        }

        all.addAll(sent);
        for (CompletableFuture<String> one : all) {
            assertThat(one.get(1, TimeUnit.MINUTES)).isEqualTo("done");
        }
        assertThat(places.availablePermits()).isEqualTo(1000);
    }

    @Test
    void whatOneTenantIsRefusedForLongOthersGetSoon() throws Exception {
        ConcurrencyLimiter shared = new ConcurrencyLimiter(places, Duration.ofMillis(50));
        assertThatThrownBy(() -> shared.send(
                        () -> {
                            throw tooMany(Duration.ofHours(1));
                        },
                        PATIENCE))
                .isInstanceOfSatisfying(ApiFailure.class, failure -> assertThat(failure.retryAfter())
                        .isEqualTo(Duration.ofHours(1)));

        assertThat(CompletableFuture.supplyAsync(() -> tried(shared, () -> "done"), threads)
                        .get(1, TimeUnit.MINUTES))
                .isEqualTo("done");
    }

    /** A request that is rejected once, when the latch opens, and then succeeds. */
    private CompletableFuture<String> refusedUntil(CountDownLatch refuse, ConcurrencyLimiter by, Duration retryAfter) {
        AtomicInteger tries = new AtomicInteger();
        return CompletableFuture.supplyAsync(
                () -> tried(by, () -> {
                    if (tries.incrementAndGet() > 1) {
                        return "done";
                    }
                    underWay.incrementAndGet();
                    await(refuse);
                    throw tooMany(retryAfter);
                }),
                threads);
    }

    private static String tried(ConcurrencyLimiter by, ConcurrencyLimiter.RequestAttempt<String> attempt) {
        try {
            return by.send(attempt, PATIENCE);
        } catch (ApiFailure failure) {
            return failure.text();
        }
    }

    @Test
    void anotherFailureIsTheCallersAtOnce() {
        AtomicInteger tries = new AtomicInteger();

        assertThatThrownBy(() -> budget.send(
                        () -> {
                            tries.incrementAndGet();
                            throw ApiFailure.withoutResponse(ApiFailure.ApiFailureKind.TIMED_OUT, "no answer in time");
                        },
                        PATIENCE))
                .isInstanceOf(ApiFailure.class);

        assertThat(tries).hasValue(1);
    }

    @Test
    void clientsOfOneServerShareItAndOthersDoNot(Vertx vertx) throws Exception {
        clients.use(vertx);
        ServerAccess one =
                clients.server(request -> TestApiServer.json(request, "{}")).access();
        ClientPool pool = clients.pool();
        ApiClient first = worker(pool, one);
        ApiClient second = worker(pool, one);
        assertThat(pool.servers()).isEqualTo(1);

        ApiClient elsewhere = worker(pool, one.at(InetAddress.getByName("127.0.0.2")));
        assertThat(pool.servers()).isEqualTo(2);

        elsewhere.close();
        elsewhere.close();
        first.close();
        assertThat(pool.servers()).isEqualTo(1);
        second.close();
        assertThat(pool.servers()).isZero();
    }

    @Test
    void aClientThatCannotBeBuiltUsesNoBudget(Vertx vertx) {
        clients.use(vertx);
        ServerAccess good =
                clients.server(request -> TestApiServer.json(request, "{}")).access();
        ServerAccess bad = new ServerAccess(
                good.server(),
                new ServerAccess.ServerTrustPolicy.Authorities("none"),
                good.authentication(),
                "",
                null,
                null);
        ClientPool pool = clients.pool();

        assertThatThrownBy(() -> worker(pool, bad)).isInstanceOf(IllegalArgumentException.class);

        assertThat(pool.servers()).isZero();
    }

    @Test
    void whatIsToRunAtTheEndOfAClosedClientRunsAtOnce(Vertx vertx) {
        clients.use(vertx);
        ApiClient client = worker(
                clients.pool(),
                clients.server(request -> TestApiServer.json(request, "{}")).access());
        client.close();
        AtomicInteger runs = new AtomicInteger();

        client.atClose(runs::incrementAndGet);

        assertThat(runs).hasValue(1);
    }

    @Test
    void aWriteIsNotRepeatedOnceThisReplicaMayNotWrite(Vertx vertx) {
        clients.use(vertx);
        AtomicBoolean own = new AtomicBoolean(true);
        AtomicInteger received = new AtomicInteger();
        InFlightWrites inFlight = new InFlightWrites();
        TestApiServer server = clients.server(request -> {
            received.incrementAndGet();
            own.set(false);
            request.response().setStatusCode(429).putHeader("Retry-After", "1").end();
        });
        KubeApi fenced = new WriteFence(own::get, namespace -> true, inFlight, () -> {})
                .ofTenant(tenant(server, budget, PATIENCE), "cluster-amber");

        assertThatThrownBy(() -> fenced.send(ApiRequest.create(Resource.SECRETS, "cluster-amber", "{}")))
                .isInstanceOfSatisfying(ApiFailure.class, failure -> assertThat(failure.kind())
                        .isEqualTo(ApiFailure.ApiFailureKind.CLOSED));

        assertThat(received).hasValue(1);
    }

    /** Another tenant of the same server. */
    private KubeApi tenant(TestApiServer server, ConcurrencyLimiter shared, Duration patience) {
        ClientLimits limits = ClientLimits.WORKER.withRequestTimeout(patience);
        MemoryBudget.MemoryShare share = MemoryBudget.unlimited().createShare();
        TransportOptions options =
                new TransportOptions(limits, share, RequestObserver.NONE, ConnectionObserver.NONE, "test");
        TransportBuilder builder =
                new TransportFactory(clients.vertx().getOrCreateContext(), server.access(), options).newBuilder();
        builder.tag(ClientPool.NO_RETRIES);
        Transport transport = builder.build();
        clients.closeLater(transport);
        return new Fabric8KubeApi(transport, server.access(), options, new Semaphore(1), shared);
    }

    /** Result of a watch: null once it is open, else the failure. */
    private static CompletableFuture<@Nullable ApiFailure> watch(KubeApi api) {
        CompletableFuture<@Nullable ApiFailure> result = new CompletableFuture<>();
        api.watch(ApiRequest.watch(Resource.SECRETS, "ns", Map.of()), new KubeApi.WatchLineHandler() {
            @Override
            public void onOpened() {
                result.complete(null);
            }

            @Override
            public void onLine(byte[] json, UnaryOperator<String> redactor) {}

            @Override
            public void onEnded() {}

            @Override
            public void onFailed(ApiFailure failure) {
                result.complete(failure);
            }
        });
        return result;
    }

    private static void refuse(HttpServerRequest request, String retryAfter) {
        request.response()
                .setStatusCode(429)
                .putHeader("Content-Type", "application/json")
                .putHeader("Retry-After", retryAfter)
                .end("{\"reason\":\"TooManyRequests\",\"message\":\"try again\"}");
    }

    @Test
    void noTenantOfTheServerStartsAListOrWatchWhileItAsksToWait(Vertx vertx) {
        clients.use(vertx);
        List<String> arrived = new CopyOnWriteArrayList<>();
        TestApiServer server = clients.server(request -> {
            arrived.add(request.uri());
            refuse(request, "3600");
        });
        KubeApi refused = tenant(server, budget, PATIENCE);
        KubeApi other = tenant(server, budget, Duration.ofMillis(300));
        ApiRequest list = ApiRequest.list(Resource.SECRETS, "ns", Map.of());

        assertThatThrownBy(() -> refused.list(list, item -> {})).hasMessage("try again");

        assertThatThrownBy(() -> other.list(list, item -> {})).hasMessageStartingWith("not sent");
        assertThat(watch(other).join()).isNotNull().satisfies(failure -> assertThat(failure.text())
                .startsWith("not sent"));
        assertThat(arrived).hasSize(1);
    }

    @Test
    void aRefusedWatchIsSentAgainAndOneThatIsNotAcceptedInTimeMakesAllWait(Vertx vertx) {
        clients.use(vertx);
        AtomicInteger requests = new AtomicInteger();
        TestApiServer server = clients.server(request -> {
            switch (requests.incrementAndGet()) {
                case 1 -> refuse(request, "0");
                case 2 ->
                    request.response()
                            .putHeader("Content-Type", "application/json")
                            .setChunked(true)
                            .write("\n");
                default -> refuse(request, "3600");
            }
        });
        KubeApi api = tenant(server, budget, PATIENCE);

        assertThat(watch(api).join()).isNull();
        assertThat(watch(api).join()).isNotNull().hasMessage("try again");

        send();
        Await.until(() -> budget.waiting() == 1);
        assertThat(requests).hasValue(3);
    }

    private static ApiClient worker(ClientPool pool, ServerAccess access) {
        return pool.worker(access, ClientLimits.WORKER, RequestObserver.NONE, ConnectionObserver.NONE);
    }
}
