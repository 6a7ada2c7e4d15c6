package io.osmhub.api.http;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.CallerAuthorizer;
import io.osmhub.api.access.CallerRateLimiter;
import io.osmhub.api.access.LocalSessionKeys;
import io.osmhub.api.access.ReplicaTickets;
import io.osmhub.api.access.ReviewMetrics;
import io.osmhub.api.access.SessionCookies;
import io.osmhub.api.access.TokenReviewAuthenticator;
import io.osmhub.api.access.TokenReviewThrottle;
import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.tenancy.certificate.SessionKeys;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi.Watch;
import io.osmhub.workersync.apiserver.KubeApi.WatchLineHandler;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.apiserver.Verb;
import io.osmhub.workersync.fake.ServerHandler;
import io.vertx.core.Vertx;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;

/** A server on a free port of this machine, whose operations a test gives; a token is worth its own text as user. */
final class RunningServer implements AutoCloseable {
    static final String TOKEN = "ann";
    private static final ApiContract CONTRACT = ApiContract.load();

    final SelfSignedCertificate certificate;
    final SessionCookies sessions;
    final HttpClient client;
    final int port;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final HubHttpServer server;

    /** What a test may want otherwise. */
    static final class Plan {
        final Map<String, Operation> operations = new ConcurrentHashMap<>();
        final List<WebPage> pages = new ArrayList<>();
        HttpLimits limits = HttpLimits.usual(2 * 1024 * 1024);
        CallerRateLimiter.CallerRateLimit rate = new CallerRateLimiter.CallerRateLimit(60_000, 60_000);
        HttpObserver observer = HttpObserver.NONE;
        boolean checksAnswers = true;
        SessionKeys sessionKeys = LocalSessionKeys.create();
        SelfSignedCertificate certificate = new SelfSignedCertificate(List.of("localhost", "127.0.0.1"));

        Plan answer(String id, Operation.OperationHandler answer) {
            operations.put(id, Operation.of(id, answer));
            return this;
        }
    }

    RunningServer(Vertx vertx, Plan plan) throws Exception {
        certificate = plan.certificate;
        TokenReviewAuthenticator tokens = new TokenReviewAuthenticator(
                new Reviews().api(),
                List.of("osm-hub"),
                token -> false,
                Duration.ofSeconds(10),
                System::nanoTime,
                ReviewMetrics.NONE);
        TokenReviewThrottle strangers = new TokenReviewThrottle(tokens, System::nanoTime);
        sessions = new SessionCookies(
                strangers, plan.sessionKeys, Duration.ofHours(8), Duration.ofMillis(20), InstantSource.system());
        CallerOperations callers = new CallerOperations(new Everything(), sessions, List::of, "osm-profiles");
        callers.operations().forEach(each -> plan.operations.putIfAbsent(each.id(), each));
        for (ContractOperation each : CONTRACT.operations()) {
            plan.operations.putIfAbsent(each.id(), Operation.of(each.id(), call -> {
                throw ApiProblem.notFound("object of that name");
            }));
        }
        server = new HubHttpServer(
                vertx,
                new HubHttpServer.HttpServerDependencies(
                        new HubHttpServer.ServerContent(
                                CONTRACT,
                                List.copyOf(plan.operations.values()),
                                plan.pages,
                                (problem, id) -> new Reply.ReplyContent(
                                        "text/html; charset=utf-8",
                                        ("<p>" + problem.status() + "</p>").getBytes(UTF_8)),
                                plan.checksAnswers),
                        new HubHttpServer.CallerControl(
                                strangers,
                                sessions,
                                new ReplicaTickets(plan.sessionKeys, InstantSource.system()),
                                new CallerRateLimiter(plan.rate, System::nanoTime)),
                        certificate,
                        plan.limits,
                        plan.observer,
                        threads,
                        true));
        port = server.listen("127.0.0.1", 0)
                .toCompletionStage()
                .toCompletableFuture()
                .get(20, TimeUnit.SECONDS);
        client = HttpClient.newBuilder()
                .sslContext(certificate.trusting())
                .connectTimeout(Duration.ofSeconds(20))
                .build();
    }

    HttpRequest.Builder to(String path) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30))
                .header("Authorization", "Bearer " + TOKEN);
    }

    HttpRequest.Builder anonymous(String path) {
        return HttpRequest.newBuilder(URI.create("https://127.0.0.1:" + port + path))
                .timeout(Duration.ofSeconds(30));
    }

    HttpResponse<String> send(HttpRequest.Builder request) throws IOException, InterruptedException {
        return client.send(request.build(), HttpResponse.BodyHandlers.ofString());
    }

    HttpResponse<String> get(String path) throws IOException, InterruptedException {
        return send(to(path));
    }

    @Override
    public void close() {
        client.shutdownNow();
        server.close().toCompletionStage().toCompletableFuture().join();
        threads.shutdownNow();
    }

    /** Everybody is who their token says, but for one. */
    private static final class Reviews implements ServerHandler {
        @Override
        public byte[] send(ApiRequest request) {
            String body = String.valueOf(request.body());
            boolean unknown = body.contains("nobody");
            String user = body.replaceAll(".*\"token\":\"([^\"]*)\".*", "$1");
            return (unknown
                            ? "{\"status\":{\"authenticated\":false}}"
                            : "{\"status\":{\"authenticated\":true,\"audiences\":[\"osm-hub\"],\"user\":{\"username\":\""
                                    + user + "\",\"groups\":[\"g\"]}}}")
                    .getBytes(UTF_8);
        }

        @Override
        public Watch watch(ApiRequest request, WatchLineHandler lines) {
            throw new AssertionError("nothing is watched");
        }
    }

    private static final class Everything implements CallerAuthorizer {
        @Override
        public boolean isAllowed(Caller caller, Verb verb, Resource resource, String namespace, String name) {
            return true;
        }

        @Override
        public VisibleTenants findVisibleTenants(Caller caller, Verb verb, Resource resource) {
            return VisibleTenants.EVERYWHERE;
        }
    }
}
