package io.osmhub.tenancy.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.awaitility.Awaitility.await;

import io.fabric8.kubernetes.api.model.Secret;
import io.fabric8.kubernetes.api.model.SecretBuilder;
import io.osmhub.tenancy.client.ServerAccess.Authentication;
import io.osmhub.tenancy.lease.InFlightWrites;
import io.osmhub.tenancy.lease.WriteFence;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.RequestAttribution;
import io.osmhub.workersync.apiserver.RequestListener;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.StreamResetException;
import io.vertx.junit5.VertxExtension;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Supplier;
import org.assertj.core.api.AbstractObjectAssert;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.extension.RegisterExtension;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@ExtendWith(VertxExtension.class)
class Fabric8KubeApiTest {
    private static final int MIB = 1024 * 1024;
    private static final ApiRequest LIST = ApiRequest.list(Resource.SECRETS, "ns", Map.of());
    private static final ApiRequest ANY = ApiRequest.get(Resource.SECRETS, "ns", "name");

    @RegisterExtension
    static final ClientFixture FIXTURE = new ClientFixture();

    @BeforeAll
    static void start(Vertx vertx) {
        FIXTURE.use(vertx);
    }

    private static AbstractObjectAssert<?, ApiFailure> assertFails(KubeApi api, ApiRequest request) {
        return assertThatThrownBy(() -> api.send(request)).asInstanceOf(type(ApiFailure.class));
    }

    @Test
    void sendsMethodPathQueryHeadersAndBody() throws ApiFailure {
        List<String> seen = new CopyOnWriteArrayList<>();
        TestApiServer server = FIXTURE.server(request -> request.bodyHandler(body -> {
            seen.addAll(List.of(
                    request.version().toString(),
                    request.method().name(),
                    request.uri(),
                    request.authority().toString(),
                    request.getHeader("Authorization"),
                    request.getHeader("Accept"),
                    request.getHeader("Content-Type"),
                    body.toString()));
            TestApiServer.json(request, "{\"größe\":1}");
        }));
        ApiRequest patch = ApiRequest.patch(
                        Resource.MACHINE_DEPLOYMENTS, "ns", "md", ApiRequest.MERGE_PATCH, "{\"ü\":1}")
                .withSubresource("status");

        byte[] answer = FIXTURE.client(server.access()).api().send(patch);

        assertThat(new String(answer, StandardCharsets.UTF_8)).isEqualTo("{\"größe\":1}");
        assertThat(seen)
                .containsExactly(
                        "HTTP_2",
                        "PATCH",
                        "/apis/cluster.k8s.io/v1alpha1/namespaces/ns/machinedeployments/md/status?fieldManager=osm-hub",
                        "worker.example:" + server.port(),
                        "Bearer token-of-the-hub",
                        "application/json",
                        "application/merge-patch+json",
                        "{\"ü\":1}");
    }

    /** API servers take the manager of a write that names none from its User-Agent. */
    @Test
    void writesAreManagedByTheNameOfTheClientsTypedOrNot(Vertx vertx) throws ApiFailure {
        List<String> seen = new CopyOnWriteArrayList<>();
        TestApiServer server = FIXTURE.server(request -> {
            seen.add(request.method() + " " + request.query() + " " + request.getHeader("User-Agent"));
            TestApiServer.json(request, "{}");
        });
        try (ClientPool pool = new ClientPool(vertx, "command/1")) {
            KubeApi api = pool.worker(
                            server.access(), ClientLimits.WORKER, RequestObserver.NONE, ConnectionObserver.NONE)
                    .api();

            api.send(ApiRequest.apply(Resource.SECRETS, "ns", "name", "{}"));
            api.send(ApiRequest.create(Resource.SECRETS, "ns", "{}").asDryRun());
            api.send(ApiRequest.apply(Resource.NAMESPACES, "name", "another", false, "{}"));
            api.send(ANY);
            api.call(client -> client.resource(secret()).create());
        }

        assertThat(seen)
                .containsExactly(
                        "PATCH fieldManager=command&force=true command/1",
                        "POST dryRun=All&fieldManager=command command/1",
                        "PATCH fieldManager=another command/1",
                        "GET null command/1",
                        "POST null command/1");
    }

    /** A process may be suspended while it connects, and be resumed when another serves its tenants. */
    @Test
    void aWriteIsCheckedWhenThereIsAConnectionWhetherTypedOrNot() throws ApiFailure {
        AtomicInteger received = new AtomicInteger();
        AtomicInteger connections = new AtomicInteger();
        AtomicBoolean mayWrite = new AtomicBoolean(true);
        TestApiServer server = FIXTURE.server(request -> {
            received.incrementAndGet();
            TestApiServer.json(request, "{}");
        });
        InFlightWrites inFlight = new InFlightWrites();
        WriteFence fence = new WriteFence(mayWrite::get, namespace -> true, inFlight, () -> {});
        ClientPool pool = FIXTURE.pool();
        KubeApi api = fence.ofTenant(
                pool.worker(server.access(), ClientLimits.WORKER, RequestObserver.NONE, new ConnectionObserver() {
                            @Override
                            public void onOpened() {
                                connections.incrementAndGet();
                                mayWrite.set(false);
                            }
                        })
                        .api(),
                "ns");

        assertFails(api, ApiRequest.create(Resource.SECRETS, "ns", "{}"))
                .returns(ApiFailureKind.CLOSED, ApiFailure::kind)
                .returns("this replica could not renew its Lease and writes nothing", ApiFailure::text);
        assertThatThrownBy(() -> api.call(client -> client.resource(secret()).create()))
                .asInstanceOf(type(ApiFailure.class))
                .returns(ApiFailureKind.CLOSED, ApiFailure::kind)
                .returns("this replica could not renew its Lease and writes nothing", ApiFailure::text);
        assertThat(connections).hasValue(1);
        assertThat(received).hasValue(0);

        mayWrite.set(true);
        api.call(client -> client.resource(secret()).create());
        api.send(ApiRequest.create(Resource.SECRETS, "ns", "{}"));
        assertThat(received).hasValue(2);
    }

    private static Secret secret() {
        return new SecretBuilder()
                .withNewMetadata()
                .withNamespace("ns")
                .withName("name")
                .endMetadata()
                .build();
    }

    /** All requests of a client have its credential, limits, observer and redacted messages. */
    @Test
    void typedRequestsAreThoseOfTheSameClient() {
        List<String> seen = new CopyOnWriteArrayList<>();
        TestApiServer server = FIXTURE.server(request -> {
            seen.add(request.method() + " " + request.uri() + " " + request.getHeader("Authorization") + " "
                    + request.getHeader("User-Agent"));
            if (request.uri().contains("large")) {
                TestApiServer.json(request, "{\"kind\":\"" + "x".repeat(2 * MIB) + "\"}");
            } else {
                request.response()
                        .setStatusCode(403)
                        .putHeader("Content-Type", "application/json")
                        .end(
                                "{\"kind\":\"Status\",\"apiVersion\":\"v1\",\"message\":\"not with \\u0074oken-of-the-hub\"}");
            }
        });
        List<String> observed = new CopyOnWriteArrayList<>();
        KubeApi api = FIXTURE.pool()
                .worker(
                        server.access(),
                        ClientLimits.WORKER.withSizes(MIB, MIB),
                        (verb, resource, failure, took) -> observed.add(verb + " " + resource),
                        ConnectionObserver.NONE)
                .api();

        assertThatThrownBy(() -> api.call(client ->
                        client.secrets().inNamespace("ns").withName("name").get()))
                .asInstanceOf(type(ApiFailure.class))
                .returns(403, ApiFailure::code)
                .satisfies(failure ->
                        assertThat(failure.text()).startsWith("not with ").doesNotContain("token-of"));
        assertThatThrownBy(() -> api.call(client ->
                        client.secrets().inNamespace("ns").withName("large").get()))
                .asInstanceOf(type(ApiFailure.class))
                .returns(ApiFailureKind.UNREADABLE, ApiFailure::kind)
                .returns("the response is larger than 1048576 B", ApiFailure::text);

        assertThat(seen)
                .containsExactly(
                        "GET /api/v1/namespaces/ns/secrets/name Bearer token-of-the-hub osm-hub",
                        "GET /api/v1/namespaces/ns/secrets/large Bearer token-of-the-hub osm-hub");
        assertThat(observed).containsExactly("GET SECRETS", "GET SECRETS");
    }

    /** fabric8 takes the code from the body, and ignores the header. */
    @Test
    void anErrorOfATypedRequestIsThatOfTheResponse() {
        TestApiServer server = FIXTURE.server(request -> request.response()
                .setStatusCode(403)
                .putHeader("Content-Type", "application/json")
                .putHeader("Retry-After", "7")
                .end("{\"kind\":\"Status\",\"code\":404,\"message\":\"no\"}"));
        KubeApi api = FIXTURE.client(server.access()).api();

        assertThatThrownBy(() -> api.call(client ->
                        client.secrets().inNamespace("ns").withName("a").get()))
                .asInstanceOf(type(ApiFailure.class))
                .returns(403, ApiFailure::code)
                .returns("no", ApiFailure::text)
                .returns(Duration.ofSeconds(7), ApiFailure::retryAfter);
    }

    /** Decoding takes as long as a server makes it take. */
    @Test
    void aTypedResponseIsNotDecodedOnTheEventLoop() throws Exception {
        CompletableFuture<HttpServerRequest> received = new CompletableFuture<>();
        TestApiServer server = FIXTURE.server(received::complete);
        CompletableFuture<Boolean> decoded = FIXTURE.client(server.access())
                .api()
                .call(client -> client.getHttpClient()
                        .sendAsync(
                                client.getHttpClient()
                                        .newHttpRequestBuilder()
                                        .uri("https://server.invalid/api/v1/secrets")
                                        .build(),
                                byte[].class)
                        .thenApply(response -> Thread.currentThread().isVirtual()));
        HttpServerRequest request = received.get();
        FIXTURE.vertx().runOnContext(now -> TestApiServer.json(request, "{}"));

        assertThat(decoded.get()).isTrue();
    }

    @Test
    void whoHearsTheWorkHearsEachRequestWithItsStatus() {
        TestApiServer server = FIXTURE.server(request -> {
            if (request.method().name().equals("POST")) {
                request.response()
                        .setStatusCode(201)
                        .putHeader("Content-Type", "application/json")
                        .end("{}");
            } else {
                request.response().setStatusCode(404).end();
            }
        });
        KubeApi api = FIXTURE.client(server.access()).api();
        List<String> heard = new CopyOnWriteArrayList<>();
        RequestListener listener = (request, status, failure, took) ->
                heard.add(request + " " + status + " " + (failure == null ? "" : failure.code()));
        Supplier<String> work = () -> {
            try {
                api.send(ApiRequest.create(Resource.SECRETS, "ns", "{}"));
                return api.send(ANY).length + " B";
            } catch (ApiFailure failure) {
                return failure.code() + "";
            }
        };

        String ended = RequestAttribution.callWithListener(listener, () -> {
            String here = work.get();
            return here + " "
                    + CompletableFuture.supplyAsync(RequestAttribution.withCurrentListener(work))
                            .join();
        });
        String unheard = work.get();

        assertThat(unheard).isEqualTo("404");
        assertThat(ended).isEqualTo("404 404");
        assertThat(heard)
                .containsExactly(
                        "create secrets in ns 201 ",
                        "get secrets name in ns 404 404",
                        "create secrets in ns 201 ",
                        "get secrets name in ns 404 404");
    }

    @Test
    void eachTimeThatARequestIsSentIsHeardAndNoOther() {
        AtomicInteger requests = new AtomicInteger();
        TestApiServer server = FIXTURE.server(request -> {
            if (requests.incrementAndGet() == 1) {
                request.response()
                        .setStatusCode(429)
                        .putHeader("Retry-After", "0")
                        .end();
            } else {
                TestApiServer.json(request, "{}");
            }
        });
        KubeApi api = FIXTURE.client(server.access()).api();
        List<Integer> heard = new CopyOnWriteArrayList<>();

        RequestAttribution.callWithListener((request, status, failure, took) -> heard.add(status), () -> {
            try {
                return api.send(ANY);
            } catch (ApiFailure failure) {
                throw new IllegalStateException(failure);
            }
        });

        assertThat(heard).containsExactly(429, 200);
    }

    @Test
    void aProbeIsSentAlsoWhenTheServerIsBusy() throws ApiFailure {
        AtomicInteger probes = new AtomicInteger();
        TestApiServer server = FIXTURE.server(request -> {
            if (request.uri().equals("/version") && probes.incrementAndGet() == 1) {
                TestApiServer.json(request, "{}");
            } else {
                request.response()
                        .setStatusCode(429)
                        .putHeader("Retry-After", "3600")
                        .putHeader("Content-Type", "application/json")
                        .end("{\"message\":\"of the server\"}");
            }
        });
        ApiClient client = FIXTURE.client(server.access());
        assertFails(client.api(), ANY).returns(429, ApiFailure::code);

        assertThat(client.probe("/version").status()).isEqualTo(200);

        assertThatThrownBy(() -> client.probe("/version")).hasMessage("of the server");
    }

    @Test
    void theServersPathComesFirst() throws ApiFailure {
        List<String> paths = new CopyOnWriteArrayList<>();
        TestApiServer server = FIXTURE.server(request -> {
            paths.add(request.uri());
            TestApiServer.json(request, "{}");
        });
        ServerAccess access = server.access();
        ServerAccess behindProxy = new ServerAccess(
                access.server().resolve("/k8s/clusters/c-1/"),
                access.trust(),
                access.authentication(),
                "",
                access.address(),
                null);

        FIXTURE.client(behindProxy).api().send(ApiRequest.list(Resource.NAMESPACES, "", Map.of("limit", "1")));
        FIXTURE.client(behindProxy).read("/version");

        assertThat(paths).containsExactly("/k8s/clusters/c-1/api/v1/namespaces?limit=1", "/k8s/clusters/c-1/version");
    }

    @Test
    void aRefusalCarriesCodeReasonMessageAndRetryAfter() {
        TestApiServer server = FIXTURE.server(request -> request.response()
                .setStatusCode(429)
                .putHeader("Retry-After", "12")
                .putHeader("Content-Type", "application/json")
                .end("{\"kind\":\"Status\",\"reason\":\"TooManyRequests\",\"message\":\"slow down\"}"));

        assertFails(FIXTURE.client(server.access()).api(), ANY)
                .returns(ApiFailureKind.ANSWERED, ApiFailure::kind)
                .returns(429, ApiFailure::code)
                .returns("TooManyRequests", ApiFailure::reason)
                .returns("slow down", ApiFailure::text)
                .returns(Duration.ofSeconds(12), ApiFailure::retryAfter);
    }

    @Test
    void nothingIsSentTwice() {
        AtomicInteger requests = new AtomicInteger();
        TestApiServer server = FIXTURE.server(request -> {
            requests.incrementAndGet();
            request.response().setStatusCode(503).end();
        });

        assertFails(FIXTURE.client(server.access()).api(), ANY).returns(503, ApiFailure::code);
        assertThat(requests).hasValue(1);
    }

    @Test
    void aRedirectIsNotFollowed() {
        AtomicInteger elsewhere = new AtomicInteger();
        TestApiServer other = FIXTURE.server(request -> {
            elsewhere.incrementAndGet();
            TestApiServer.json(request, "{}");
        });
        TestApiServer server = FIXTURE.server(request -> request.response()
                .setStatusCode(307)
                .putHeader("Location", "https://127.0.0.1:" + other.port() + "/api")
                .end());

        assertFails(FIXTURE.client(server.access()).api(), ANY)
                .returns(307, ApiFailure::code)
                .satisfies(failure -> assertThat(failure.text()).contains("redirected (307)"));
        assertThat(elsewhere).hasValue(0);
    }

    @Test
    void aTokenThatTheServerRepeatsIsNotShown() {
        TestApiServer server = FIXTURE.server(request -> request.response()
                .setStatusCode(401)
                .end("{\"message\":\"bad " + request.getHeader("Authorization") + "\"}"));

        assertFails(FIXTURE.client(server.access()).api(), ANY)
                .returns(true, ApiFailure::isUnauthorized)
                .returns("bad Bearer <redacted>", ApiFailure::text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "token 'token-of-the-hub' rejected",
                "a token that begins with token-of-th is rejected",
                "header QmVhcmVyIHRva2VuLW9mLXRoZS1odWI= rejected",
                "user and token eHg6dG9rZW4tb2YtdGhlLWh1Yg rejected"
            })
    void noPartOfATokenIsShownInAnyEncoding(String message) {
        // A message is cut at 200 characters, and with it a token at its end.
        String text = message + "-padding".repeat((185 - message.length()) / 8) + " token-of-the-hub";
        TestApiServer server = FIXTURE.server(request -> request.response()
                .setStatusCode(401)
                .end("{\"message\":\"" + text + "\",\"reason\":\"token-of-the-hub\"}"));

        assertFails(FIXTURE.client(server.access()).api(), ANY)
                .returns("<redacted>", ApiFailure::reason)
                .satisfies(failure -> assertThat(failure.text())
                        .contains("<redacted>")
                        .doesNotContain("token-of", "of-the-h", "mVhcmVyIHRva2V", "9rZW4tb2YtdG"));
    }

    @Test
    void aTypeOfContentThatRepeatsTheTokenIsNotShown() {
        TestApiServer server = FIXTURE.server(request -> request.response()
                .putHeader("Content-Type", "text/token-of-the-hub")
                .end("x"));

        assertFails(FIXTURE.client(server.access()).api(), ANY)
                .returns(
                        "unexpected content type: text/<redacted>, expected JSON from a Kubernetes API server",
                        ApiFailure::text);
    }

    @Test
    void aPageInsteadOfJsonIsUnreadable() {
        TestApiServer server = FIXTURE.server(request ->
                request.response().putHeader("Content-Type", "text/html").end("<html>Log in</html>"));

        assertFails(FIXTURE.client(server.access()).api(), ANY)
                .returns(ApiFailureKind.UNREADABLE, ApiFailure::kind)
                .returns(
                        "unexpected content type: text/html, expected JSON from a Kubernetes API server",
                        ApiFailure::text);
    }

    @Test
    void anAnswerHasALimit() {
        TestApiServer server = FIXTURE.server(request -> TestApiServer.json(request, "x".repeat(100_001)));
        ApiClient client = FIXTURE.client(server.access(), ClientLimits.WORKER.withSizes(100_000, 1000));

        assertFails(client.api(), ANY)
                .returns(ApiFailureKind.UNREADABLE, ApiFailure::kind)
                .returns("the response is larger than 100000 B", ApiFailure::text);
        assertThat(client.isConnected()).isTrue();
    }

    @Test
    void itemsOfAListArePassedOnWhileOthersAreStillToBeReceived() throws Exception {
        Promise<Void> first = Promise.promise();
        TestApiServer server = FIXTURE.server(request -> {
            json(request).write("{\"items\":[{\"a\":1},");
            first.future().onSuccess(received -> request.response().end("{\"a\":2}],\"metadata\":{}}"));
        });
        List<String> items = new CopyOnWriteArrayList<>();

        byte[] rest = FIXTURE.client(server.access()).api().list(LIST, item -> {
            items.add(new String(item, StandardCharsets.UTF_8));
            first.tryComplete();
        });

        assertThat(items).containsExactly("{\"a\":1}", "{\"a\":2}");
        assertThat(new String(rest, StandardCharsets.UTF_8)).isEqualTo("{\"items\":[],\"metadata\":{}}");
    }

    private static HttpServerResponse json(HttpServerRequest request) {
        return request.response().setChunked(true).putHeader("Content-Type", "application/json");
    }

    private static AbstractObjectAssert<?, ApiFailure> assertListFails(ApiClient client) {
        return assertThatThrownBy(() -> client.api().list(LIST, item -> {})).asInstanceOf(type(ApiFailure.class));
    }

    @Test
    void aListThatKeepsSendingMayTakeLongerThanTheTimeLimit() throws Exception {
        Duration limit = Duration.ofSeconds(2);
        TestApiServer server = FIXTURE.server(request -> {
            HttpServerResponse response = json(request);
            response.write("{\"items\":[");
            AtomicInteger pieces = new AtomicInteger();
            FIXTURE.vertx().setPeriodic(100, timer -> {
                if (pieces.incrementAndGet() < 30) {
                    response.write(" ");
                } else {
                    FIXTURE.vertx().cancelTimer(timer);
                    response.end("]}");
                }
            });
        });
        ApiClient client = FIXTURE.client(server.access(), ClientLimits.WORKER.withRequestTimeout(limit));

        assertThat(client.api().list(LIST, item -> {})).isNotEmpty();
    }

    @Test
    void aListOfSomethingElseThanObjectsIsHeardAndObserved() {
        TestApiServer server = FIXTURE.server(request -> TestApiServer.json(request, "{\"items\":[1]}"));
        List<String> heard = new CopyOnWriteArrayList<>();
        ApiClient client = FIXTURE.pool()
                .worker(
                        server.access(),
                        ClientLimits.WORKER.withRequestTimeout(Duration.ofMinutes(1)),
                        (verb, resource, failure, took) ->
                                heard.add("observed " + (failure == null ? "ok" : failure.kind())),
                        ConnectionObserver.NONE);
        RequestListener listener = (request, status, failure, took) ->
                heard.add("heard " + status + " " + (failure == null ? "ok" : failure.kind()));

        RequestAttribution.callWithListener(
                listener, () -> assertThatThrownBy(() -> client.api().list(LIST, item -> {}))
                        .isInstanceOf(IOException.class));

        assertThat(heard).containsExactly("observed UNREADABLE", "heard 0 UNREADABLE");
    }

    @Test
    void aListThatStopsHalfWayTimesOut() {
        TestApiServer server = FIXTURE.server(request -> json(request).write("{\"items\":["));
        ApiClient client =
                FIXTURE.client(server.access(), ClientLimits.WORKER.withRequestTimeout(Duration.ofSeconds(1)));

        assertListFails(client)
                .returns(ApiFailureKind.TIMED_OUT, ApiFailure::kind)
                .returns("no data for 1 s after 10 B of a list", ApiFailure::text);
    }

    @Test
    void aListIsHeldBackWhileItsItemsAreRead() {
        AtomicLong sent = new AtomicLong();
        TestApiServer server = FIXTURE.server(request -> {
            HttpServerResponse response = json(request);
            response.write("{\"items\":[{}");
            sendItems(response, sent);
        });
        ApiClient client = FIXTURE.client(server.access());
        List<Long> sentMeanwhile = new CopyOnWriteArrayList<>();

        assertThatThrownBy(() -> client.api().list(LIST, item -> {
                    // A server without backpressure would have sent more by then.
                    long[] before = {-1};
                    await().pollInterval(Duration.ofMillis(200)).until(() -> {
                        long earlier = before[0];
                        before[0] = sent.get();
                        return before[0] == earlier || before[0] >= 64 * MIB;
                    });
                    sentMeanwhile.add(sent.get());
                    throw new IOException("enough");
                }))
                .hasMessage("enough");

        assertThat(sentMeanwhile).singleElement().satisfies(bytes -> assertThat(bytes)
                .isLessThan(4L * MIB));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void aRequestInterruptedBeforeItsHeadersIsCancelledWhenTheyCome(boolean list) throws Exception {
        CompletableFuture<HttpServerRequest> received = new CompletableFuture<>();
        CompletableFuture<@Nullable Throwable> ended = new CompletableFuture<>();
        TestApiServer server = FIXTURE.server(received::complete);
        KubeApi api = FIXTURE.client(server.access()).api();
        CompletableFuture<Boolean> interrupted = new CompletableFuture<>();
        Thread waiting = Thread.ofVirtual().start(() -> {
            try {
                if (list) {
                    api.list(LIST, item -> {});
                } else {
                    api.send(ANY);
                }
            } catch (ApiFailure | IOException failure) {
                interrupted.complete(Thread.currentThread().isInterrupted());
            }
        });

        HttpServerRequest request = received.get(10, TimeUnit.SECONDS);
        waiting.interrupt();
        assertThat(interrupted.get(10, TimeUnit.SECONDS)).isTrue();
        FIXTURE.vertx().runOnContext(now -> {
            HttpServerResponse response = json(request);
            response.exceptionHandler(ended::complete);
            response.write("{\"items\":[{}");
        });

        assertThat(ended.get(10, TimeUnit.SECONDS)).isInstanceOf(StreamResetException.class);
    }

    private static void sendItems(HttpServerResponse response, AtomicLong sent) {
        response.exceptionHandler(ended -> {});
        response.drainHandler(drained -> sendItems(response, sent));
        while (!response.writeQueueFull() && !response.closed()) {
            sent.addAndGet(MIB / 16);
            response.write(",{}" + " ".repeat(MIB / 16 - 3));
        }
    }

    @Test
    void aRefusedListIsARefusal() {
        TestApiServer server = FIXTURE.server(request -> json(request)
                .setStatusCode(410)
                .end("{\"kind\":\"Status\",\"reason\":\"Expired\",\"message\":\"too old\"}"));

        assertListFails(FIXTURE.client(server.access()))
                .matches(ApiFailure::isGone)
                .returns("too old", ApiFailure::text);
    }

    @Test
    void aRefusalThatDoesNotEndCounts() {
        TestApiServer server = FIXTURE.server(request -> json(request)
                .setStatusCode(403)
                .setChunked(true)
                .write("{\"kind\":\"Status\",\"reason\":\"Forbidden\""));
        ApiClient client =
                FIXTURE.client(server.access(), ClientLimits.WORKER.withRequestTimeout(Duration.ofMillis(300)));

        assertListFails(client).matches(ApiFailure::isForbidden);
        assertFails(client.api(), ANY).matches(ApiFailure::isForbidden);
        assertThat(client.isConnected()).isTrue();
    }

    @Test
    void aRefusalOfMegabytesIsCut() {
        String text = "{\"kind\":\"Status\",\"reason\":\"Forbidden\",\"message\":\"" + "x".repeat(3 * MIB) + "\"}";
        TestApiServer server =
                FIXTURE.server(request -> json(request).setStatusCode(403).end(text));
        ApiClient client = FIXTURE.client(server.access(), ClientLimits.WORKER.withSizes(MIB, MIB));

        assertListFails(client).matches(ApiFailure::isForbidden);
        assertFails(client.api(), ANY).matches(ApiFailure::isForbidden);
        assertThat(client.isConnected()).isTrue();
    }

    @Test
    void aServerThatDoesNotAnswerTimesOutAndTheConnectionStays() {
        TestApiServer server = FIXTURE.server(request -> {
            if (request.path().endsWith("name")) {
                return;
            }
            TestApiServer.json(request, "{}");
        });
        ApiClient client =
                FIXTURE.client(server.access(), ClientLimits.WORKER.withRequestTimeout(Duration.ofMillis(300)));

        assertFails(client.api(), ANY).returns(ApiFailureKind.TIMED_OUT, ApiFailure::kind);
        assertThat(client.isConnected()).isTrue();
    }

    @Test
    void anAnswerThatStopsHalfWayTimesOut() {
        TestApiServer server = FIXTURE.server(request -> request.response()
                .putHeader("Content-Type", "application/json")
                .setChunked(true)
                .write("{"));
        ApiClient client =
                FIXTURE.client(server.access(), ClientLimits.WORKER.withRequestTimeout(Duration.ofMillis(300)));

        assertFails(client.api(), ANY).returns(ApiFailureKind.TIMED_OUT, ApiFailure::kind);
    }

    @Test
    void aServerThatIsNotThereIsNoConnection() throws Exception {
        int port;
        try (ServerSocket free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        TestApiServer server = FIXTURE.server(request -> {});
        ServerAccess access = new ServerAccess(
                java.net.URI.create("https://worker.example:" + port),
                server.access().trust(),
                new Authentication.Anonymous(),
                "",
                InetAddress.getLoopbackAddress(),
                null);

        assertFails(FIXTURE.client(access).api(), ANY)
                .returns(ApiFailureKind.NO_CONNECTION, ApiFailure::kind)
                .returns("connection refused", ApiFailure::text);
    }

    @Test
    void aNameWithoutAddressIsNotResolved() {
        ServerAccess access = new ServerAccess(
                java.net.URI.create("https://no-such-host.invalid:6443"),
                new ServerAccess.ServerTrustPolicy.Authorities(TestApiServer.AUTHORITY.pem()),
                new Authentication.Anonymous(),
                "",
                null,
                null);

        assertFails(FIXTURE.client(access).api(), ANY).returns(ApiFailureKind.NOT_RESOLVED, ApiFailure::kind);
    }

    @Test
    void aConnectionThatBreaksDuringARequestIsNoConnectionAndTheNextRequestMakesANewOne() throws ApiFailure {
        AtomicInteger requests = new AtomicInteger();
        TestApiServer server = FIXTURE.server(request -> {
            if (requests.incrementAndGet() == 1) {
                request.connection().close();
            } else {
                TestApiServer.json(request, "{}");
            }
        });
        ApiClient client = FIXTURE.client(server.access());

        assertFails(client.api(), ANY).returns(ApiFailureKind.NO_CONNECTION, ApiFailure::kind);
        assertThat(client.api().send(ANY)).isNotEmpty();
        assertThat(server.opened()).isEqualTo(2);
    }

    @Test
    void aStreamThatTheServerResetsIsNoConnection() {
        TestApiServer server = FIXTURE.server(request -> request.response().reset(2));

        assertFails(FIXTURE.client(server.access()).api(), ANY)
                .returns(ApiFailureKind.NO_CONNECTION, ApiFailure::kind)
                .returns("the server reset the request (HTTP/2 code 2)", ApiFailure::text);
    }

    @Test
    void afterCloseNothingIsSent() {
        TestApiServer server = FIXTURE.server(request -> TestApiServer.json(request, "{}"));
        ApiClient client = FIXTURE.client(server.access());
        client.close();

        assertFails(client.api(), ANY).returns(ApiFailureKind.CLOSED, ApiFailure::kind);
        assertThat(server.opened()).isZero();
    }

    @Test
    void aRequestThatRunsWhenTheClientIsClosedFails() throws Exception {
        AtomicInteger arrived = new AtomicInteger();
        TestApiServer server = FIXTURE.server(request -> arrived.incrementAndGet());
        ApiClient client = FIXTURE.client(server.access());
        List<ApiFailure> failures = new CopyOnWriteArrayList<>();
        Thread caller = Thread.ofVirtual().start(() -> {
            try {
                client.api().send(ANY);
            } catch (ApiFailure failure) {
                failures.add(failure);
            }
        });
        Await.until(() -> arrived.get() == 1);

        client.close();

        caller.join(Duration.ofSeconds(20));
        assertThat(failures).extracting(ApiFailure::kind).containsExactly(ApiFailureKind.CLOSED);
    }

    @Test
    void theServersTimeIsRead() throws ApiFailure {
        TestApiServer server = FIXTURE.server(request -> {
            request.response().putHeader("Date", "Sat, 21 Nov 2026 10:00:30 GMT");
            TestApiServer.json(request, "{}");
        });

        assertThat(FIXTURE.client(server.access()).read("/version").serverTime())
                .isEqualTo(Instant.parse("2026-11-21T10:00:30Z"));
    }

    @Test
    void theObserverLearnsOfEachRequest() throws ApiFailure {
        List<String> seen = new CopyOnWriteArrayList<>();
        TestApiServer server = FIXTURE.server(request -> {
            if (request.method().name().equals("POST")) {
                request.response().setStatusCode(403).end();
            } else {
                TestApiServer.json(request, "{}");
            }
        });
        ApiClient client = FIXTURE.pool()
                .worker(
                        server.access(),
                        ClientLimits.WORKER,
                        (verb, resource, failure, took) -> seen.add(verb.wireName() + " " + resource + " "
                                + (failure == null ? "ok" : failure.code()) + " " + took.isPositive()),
                        ConnectionObserver.NONE);

        client.api().send(ANY);
        client.read("/version");
        assertFails(client.api(), ApiRequest.create(Resource.SECRETS, "ns", "{}"))
                .returns(true, ApiFailure::isForbidden);

        assertThat(seen).containsExactly("get SECRETS ok true", "get null ok true", "create SECRETS 403 true");
    }

    @Test
    void aServerWithoutHttp2IsServedToo() throws ApiFailure {
        TestApiServer server = FIXTURE.server(
                ClientFixture.CERTIFICATE,
                HttpVersion.HTTP_1_1,
                request -> TestApiServer.json(request, "\"" + request.version() + "\""));
        ApiClient client = FIXTURE.client(server.access());

        assertThat(new String(client.api().send(ANY), StandardCharsets.UTF_8)).isEqualTo("\"HTTP_1_1\"");
        assertThat(client.ping(Duration.ofSeconds(5)).join()).isZero();
    }

    @Test
    void everyVerbHasItsMethod() throws ApiFailure {
        List<String> methods = new CopyOnWriteArrayList<>();
        TestApiServer server = FIXTURE.server(request -> {
            methods.add(request.method().name());
            TestApiServer.json(request, "{}");
        });
        KubeApi api = FIXTURE.client(server.access()).api();

        api.send(ANY);
        api.send(ApiRequest.list(Resource.SECRETS, "ns", Map.of()));
        api.send(ApiRequest.create(Resource.SECRETS, "ns", "{}"));
        api.send(ApiRequest.update(Resource.SECRETS, "ns", "name", "{}"));
        api.send(ApiRequest.patch(Resource.SECRETS, "ns", "name", ApiRequest.MERGE_PATCH, "{}"));
        api.send(ApiRequest.delete(Resource.SECRETS, "ns", "name", "uid", null));

        assertThat(methods).containsExactly("GET", "GET", "POST", "PUT", "PATCH", "DELETE");
        assertThat(Verb.values()).hasSize(7);
    }
}
