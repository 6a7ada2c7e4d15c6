package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.apiserver.Resource;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.junit5.VertxExtension;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;

@ExtendWith(VertxExtension.class)
class StreamingWatchTest {
    private static final ApiRequest ANY = ApiRequest.watch(Resource.SECRETS, "ns", Map.of("resourceVersion", "7"));

    @RegisterExtension
    static final ClientFixture FIXTURE = new ClientFixture();

    @BeforeAll
    static void start(Vertx vertx) {
        FIXTURE.use(vertx);
    }

    /** Records a watch's events. */
    private static class Notes implements WatchLineHandler {
        private final Queue<String> all = new ConcurrentLinkedQueue<>();
        private volatile UnaryOperator<String> shown = UnaryOperator.identity();
        private volatile ApiFailure.ApiFailureKind why = ApiFailureKind.CLOSED;

        @Override
        public void onOpened() {
            all.add("opened");
        }

        @Override
        public void onLine(byte[] json, UnaryOperator<String> redactor) {
            shown = redactor;
            all.add(new String(json, StandardCharsets.UTF_8));
        }

        @Override
        public void onEnded() {
            all.add("ended");
        }

        @Override
        public void onFailed(ApiFailure failure) {
            why = failure.kind();
            all.add("failed: " + failure.text());
        }
    }

    private static HttpServerResponse stream(HttpServerRequest request) {
        return request.response().putHeader("Content-Type", "application/json").setChunked(true);
    }

    @Test
    void aTextThatRepeatsTheTokenIsNotShown() {
        TestApiServer server = FIXTURE.server(request -> stream(request).end("{}\n"));
        Notes notes = new Notes();

        FIXTURE.client(server.access()).api().watch(ANY, notes);
        Await.until(() -> notes.all.contains("ended"));

        assertThat(notes.shown.apply("dG9rZW4tb2YtdGhlLWh1Yg or token-of-the")).isEqualTo("<redacted> or <redacted>");
    }

    @Test
    void aRefusalGivesItsMemoryBackWhenItsReceiverFails() {
        TestApiServer server = FIXTURE.server(request -> request.response()
                .setStatusCode(410)
                .putHeader("Content-Type", "application/json")
                .end("{\"message\":\"" + "x".repeat(10_000) + "\"}"));
        MemoryBudget budget = new MemoryBudget(1_000_000, 0);
        AtomicBoolean failed = new AtomicBoolean();
        MemoryBudget.MemoryShare share = budget.createShare();
        TransportOptions options = new TransportOptions(
                ClientLimits.WORKER.withRequestTimeout(Duration.ofMinutes(1)),
                share,
                RequestObserver.NONE,
                ConnectionObserver.NONE,
                "test");
        Transport transport = new TransportFactory(FIXTURE.vertx().getOrCreateContext(), server.access(), options)
                .newBuilder()
                .build();
        Fabric8KubeApi api = new Fabric8KubeApi(transport, server.access(), options, new Semaphore(1), null);

        try (transport) {
            api.watch(ANY, new Notes() {
                @Override
                public void onFailed(ApiFailure failure) {
                    failed.set(true);
                    throw new IllegalStateException("a fault of the receiver");
                }
            });
            Await.until(() -> failed.get() && budget.used() == 0);
        }
    }

    @Test
    void linesAreWholeWhenTheyComeByteByByte() {
        byte[] text = "{\"name\":\"größe 🐧 €\"}\n{\"n\":2}\n".getBytes(StandardCharsets.UTF_8);
        List<String> uris = new CopyOnWriteArrayList<>();
        TestApiServer server = FIXTURE.server(request -> {
            uris.add(request.uri());
            HttpServerResponse response = stream(request);
            for (byte one : text) {
                response.write(Buffer.buffer(new byte[] {one}));
            }
            response.end();
        });
        Notes notes = new Notes();

        FIXTURE.client(server.access()).api().watch(ANY, notes);

        Await.until(() -> notes.all.contains("ended"));
        assertThat(notes.all).containsExactly("opened", "{\"name\":\"größe 🐧 €\"}", "{\"n\":2}", "ended");
        assertThat(uris).containsExactly("/api/v1/namespaces/ns/secrets?resourceVersion=7&watch=true");
    }

    @Test
    void aWatchIsOpenBeforeItsFirstEventAndOutlivesTheRequestTimeout() {
        AtomicBoolean goOn = new AtomicBoolean();
        TestApiServer server = FIXTURE.server(request -> {
            HttpServerResponse response = stream(request);
            response.write("\n");
            FIXTURE.vertx().setPeriodic(20, timer -> {
                if (goOn.get()) {
                    FIXTURE.vertx().cancelTimer(timer);
                    response.end("{}\n");
                }
            });
        });
        Notes notes = new Notes();
        AtomicInteger other = new AtomicInteger();

        ApiClient client =
                FIXTURE.client(server.access(), ClientLimits.WORKER.withRequestTimeout(Duration.ofSeconds(1)));
        client.api().watch(ANY, notes);
        Await.until(() -> notes.all.contains("opened"));
        // Twice the request timeout.
        FIXTURE.vertx().setTimer(2000, late -> other.incrementAndGet());
        Await.until(() -> other.get() == 1);

        assertThat(notes.all).containsExactly("opened");
        goOn.set(true);
        Await.until(() -> notes.all.contains("ended"));
        assertThat(notes.all).containsExactly("opened", "{}", "ended");
    }

    @Test
    void aWatchThatIsNotAcceptedInTimeFails() {
        TestApiServer server = FIXTURE.server(request -> {});
        Notes notes = new Notes();

        FIXTURE.client(server.access(), ClientLimits.WORKER.withRequestTimeout(Duration.ofMillis(300)))
                .api()
                .watch(ANY, notes);

        Await.until(() -> !notes.all.isEmpty());
        assertThat(notes.why).isEqualTo(ApiFailureKind.TIMED_OUT);
    }

    @Test
    void aRefusalIsToldOnce() {
        TestApiServer server = FIXTURE.server(request -> request.response()
                .setStatusCode(410)
                .putHeader("Content-Type", "application/json")
                .end("{\"reason\":\"Expired\",\"message\":\"too old resource version\"}"));
        Notes notes = new Notes();
        List<String> observed = new CopyOnWriteArrayList<>();

        FIXTURE.pool()
                .worker(
                        server.access(),
                        ClientLimits.WORKER,
                        (verb, resource, failure, took) ->
                                observed.add(verb.wireName() + " " + (failure == null ? "ok" : failure.code())),
                        ConnectionObserver.NONE)
                .api()
                .watch(ANY, notes);

        Await.until(() -> !notes.all.isEmpty());
        assertThat(notes.all).containsExactly("failed: too old resource version");
        assertThat(observed).containsExactly("watch 410");
    }

    @Test
    void aStreamThatBreaksFails() {
        TestApiServer server = FIXTURE.server(request -> {
            stream(request).write("{}\n{\"half");
            FIXTURE.vertx().setTimer(100, later -> request.response().reset(2));
        });
        Notes notes = new Notes();

        FIXTURE.client(server.access()).api().watch(ANY, notes);

        Await.until(() -> notes.all.size() == 3);
        assertThat(notes.all).containsExactly("opened", "{}", "failed: the server reset the request (HTTP/2 code 2)");
        assertThat(notes.why).isEqualTo(ApiFailureKind.NO_CONNECTION);
    }

    @Test
    void anEndWithinAnEventIsNoProperEnd() {
        TestApiServer server = FIXTURE.server(request -> stream(request).end("{}\n{\"half"));
        Notes notes = new Notes();

        FIXTURE.client(server.access()).api().watch(ANY, notes);

        Await.until(() -> notes.all.size() == 3);
        assertThat(notes.all).containsExactly("opened", "{}", "failed: the stream ended within an event");
    }

    @Test
    void anEventHasALimitAndTheConnectionStays() {
        TestApiServer server = FIXTURE.server(request -> stream(request).write("{\"a\":\"" + "x".repeat(2_000_000)));
        ApiClient client = FIXTURE.client(server.access(), ClientLimits.WORKER.withSizes(1000, 65_536));
        Notes notes = new Notes();

        client.api().watch(ANY, notes);

        Await.until(() -> notes.all.size() == 2);
        assertThat(notes.all).containsExactly("opened", "failed: an event is larger than 65536 B");
        assertThat(notes.why).isEqualTo(ApiFailureKind.UNREADABLE);
        assertThat(client.isConnected()).isTrue();
    }

    @Test
    void aStreamOfSomethingElseFails() {
        TestApiServer server = FIXTURE.server(request -> stream(request).write("{}\n[1]\n"));
        Notes notes = new Notes();

        FIXTURE.client(server.access()).api().watch(ANY, notes);

        Await.until(() -> notes.all.size() == 3);
        assertThat(notes.all).containsExactly("opened", "{}", "failed: unexpected response: not a watch of objects");
        assertThat(notes.why).isEqualTo(ApiFailureKind.UNREADABLE);
    }

    @Test
    void anEventOfMegabytesPasses() {
        String big = "{\"a\":\"" + "ö".repeat(1_000_000) + "\"}";
        TestApiServer server = FIXTURE.server(request -> stream(request).end(big + "\n{}\n"));
        Notes notes = new Notes();

        FIXTURE.client(server.access()).api().watch(ANY, notes);

        Await.until(() -> notes.all.contains("ended"));
        assertThat(new ArrayList<>(notes.all)).isEqualTo(List.of("opened", big, "{}", "ended"));
    }

    @Test
    void nothingComesAfterStopAndTheServerLearnsOfIt() {
        AtomicBoolean ended = new AtomicBoolean();
        TestApiServer server = FIXTURE.server(request -> {
            request.response().exceptionHandler(reset -> ended.set(true));
            HttpServerResponse response = stream(request);
            response.write("{}\n");
            FIXTURE.vertx().setPeriodic(10, timer -> {
                if (ended.get()) {
                    FIXTURE.vertx().cancelTimer(timer);
                } else {
                    response.write("{}\n");
                }
            });
        });
        Notes notes = new Notes();
        Watch watch = FIXTURE.client(server.access()).api().watch(ANY, notes);
        Await.until(() -> notes.all.size() >= 2);

        watch.stop();
        Await.until(ended::get);
        watch.stop();

        assertThat(notes.all).doesNotContain("ended").noneMatch(note -> note.startsWith("failed"));
        assertThat(server.connections()).hasSize(1);
    }

    @Test
    void aWatchThatIsStoppedBeforeItsAnswerBringsNothing() {
        AtomicBoolean answer = new AtomicBoolean();
        AtomicBoolean arrived = new AtomicBoolean();
        AtomicBoolean ended = new AtomicBoolean();
        TestApiServer server = FIXTURE.server(request -> {
            arrived.set(true);
            request.response().exceptionHandler(reset -> ended.set(true));
            FIXTURE.vertx().setPeriodic(10, timer -> {
                if (answer.get()) {
                    FIXTURE.vertx().cancelTimer(timer);
                    stream(request).write("{}\n");
                }
            });
        });
        Notes notes = new Notes();
        Watch watch = FIXTURE.client(server.access()).api().watch(ANY, notes);
        Await.until(arrived::get);

        watch.stop();
        answer.set(true);

        Await.until(ended::get);
        assertThat(notes.all).isEmpty();
    }

    @Test
    void closingTheClientEndsItsWatches() {
        TestApiServer server = FIXTURE.server(request -> stream(request).write("{}\n"));
        ApiClient client = FIXTURE.client(server.access());
        Notes notes = new Notes();
        client.api().watch(ANY, notes);
        Await.until(() -> notes.all.size() == 2);

        client.close();

        Await.until(() -> notes.all.size() == 3);
        assertThat(notes.why).isEqualTo(ApiFailureKind.CLOSED);
    }

    @Test
    void watchesOfAServerWithoutHttp2DoNotHoldUpRequests() throws ApiFailure {
        TestApiServer server = FIXTURE.server(ClientFixture.CERTIFICATE, HttpVersion.HTTP_1_1, request -> {
            if (request.uri().contains("watch=true")) {
                stream(request).write("{}\n");
            } else {
                TestApiServer.json(request, "{}");
            }
        });
        ApiClient client = FIXTURE.client(server.access());
        client.read("/version");
        List<Notes> watches = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            watches.add(new Notes());
            client.api().watch(ANY, watches.getLast());
        }
        Await.until(() -> watches.stream().allMatch(notes -> notes.all.size() == 2));

        assertThat(client.api().send(ApiRequest.get(Resource.SECRETS, "ns", "a")))
                .hasSize(2);
        assertThat(server.opened()).isEqualTo(1 + 6);
    }
}
