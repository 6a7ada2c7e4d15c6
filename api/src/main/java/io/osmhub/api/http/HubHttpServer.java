package io.osmhub.api.http;

import io.osmhub.api.access.CallerRateLimiter;
import io.osmhub.api.access.ReplicaTickets;
import io.osmhub.api.access.SessionCookies;
import io.osmhub.api.access.TokenReviewThrottle;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.tenancy.certificate.ServingCertificate;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SocketAddress;
import io.vertx.ext.web.Router;
import io.vertx.ext.web.RoutingContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The HTTPS server of the API and the console, on one port. All sockets use one event loop, so that a flood of handshakes leaves the
 * others to the tenants; requests run on virtual threads.
 */
public final class HubHttpServer {
    private static final Logger LOG = LoggerFactory.getLogger(HubHttpServer.class);
    private static final int HANDSHAKE_SECONDS = 5;

    private final Vertx vertx;
    private final HttpServerDependencies dependencies;
    private final HttpServerContext services;
    private final IdleConnectionCloser connectionCloser;
    private @Nullable HttpServer server;
    private long sweeper = -1;

    /**
     * What the server offers.
     *
     * @param operations each operation of the contract exactly once
     * @param checksAnswers whether each response is checked against the contract before it is sent; for tests
     */
    public record ServerContent(
            ApiContract contract,
            List<Operation> operations,
            List<WebPage> pages,
            ProblemPageRenderer pageProblems,
            boolean checksAnswers) {
        public ServerContent {
            operations = List.copyOf(operations);
            pages = List.copyOf(pages);
        }
    }

    /** Who may call, and how often. */
    public record CallerControl(
            TokenReviewThrottle throttle, SessionCookies sessions, ReplicaTickets tickets, CallerRateLimiter rates) {}

    /**
     * Dependencies of the server.
     *
     * @param threads one virtual thread for each task
     * @param audits whether to write audit lines
     */
    public record HttpServerDependencies(
            ServerContent content,
            CallerControl callers,
            ServingCertificate certificate,
            HttpLimits limits,
            HttpObserver observer,
            ExecutorService threads,
            boolean audits) {}

    /** A server that is not listening yet; rejects dependencies that do not match the contract. */
    public HubHttpServer(Vertx vertx, HttpServerDependencies dependencies) {
        this.vertx = vertx;
        this.dependencies = dependencies;
        this.services = HttpServerContext.of(dependencies);
        this.connectionCloser = new IdleConnectionCloser(
                dependencies.limits().connections(),
                dependencies.limits().firstRequest(),
                dependencies.limits().idle(),
                System::nanoTime);
    }

    /**
     * Starts listening.
     *
     * @param host a name or an address; empty for all addresses
     * @param port 0 selects a free one
     * @return the bound port, or a failure if it cannot be bound
     */
    public Future<Integer> listen(String host, int port) {
        Router router = router();
        HttpServer made = vertx.createHttpServer(options())
                .requestHandler(router)
                .invalidRequestHandler(this::onInvalidRequest)
                .connectionHandler(connectionCloser::onOpened)
                .exceptionHandler(broken -> LOG.debug("Connection failed before its first request", broken));
        server = made;
        sweeper = vertx.setPeriodic(IdleConnectionCloser.SWEEP_MILLIS, now -> connectionCloser.closeIdle());
        return made.listen(SocketAddress.inetSocketAddress(port, host.isEmpty() ? "0.0.0.0" : host))
                .map(HttpServer::actualPort);
    }

    /** Stops listening and closes all connections. */
    public Future<Void> close() {
        vertx.cancelTimer(sweeper);
        HttpServer running = server;
        return running == null ? Future.succeededFuture() : running.close();
    }

    private HttpServerOptions options() {
        HttpLimits limits = dependencies.limits();
        return new HttpServerOptions()
                .setSsl(true)
                .setKeyCertOptions(dependencies.certificate().current())
                .setUseAlpn(true)
                .setSslHandshakeTimeout(HANDSHAKE_SECONDS)
                .setSslHandshakeTimeoutUnit(TimeUnit.SECONDS)
                .setIdleTimeout(
                        (int) Math.max(limits.idle().toSeconds(), limits.send().toSeconds()) * 2)
                .setMaxInitialLineLength(limits.headerBytes())
                .setMaxHeaderSize(limits.headerBytes())
                .setInitialSettings(new Http2Settings()
                        .setMaxConcurrentStreams(limits.streamsPerConnection())
                        .setMaxHeaderListSize(limits.headerBytes()))
                .setTcpNoDelay(true);
    }

    private Router router() {
        Router router = Router.router(vertx);
        router.route().handler(this::prepareRequest);
        Map<String, Operation> operations = byId();
        dependencies.content().contract().byPath().forEach((path, onPath) -> {
            List<OperationEndpoint> endpoints = onPath.stream()
                    .map(each -> new OperationEndpoint(each, Objects.requireNonNull(operations.get(each.id()))))
                    .toList();
            addRoute(router, new HttpRoute(ApiContract.BASE + path, endpoints, services));
        });
        dependencies.content().pages().stream()
                .map(page -> new PageEndpoint(page, dependencies.content().pageProblems()))
                .collect(Collectors.groupingBy(
                        endpoint -> endpoint.page().path(), LinkedHashMap::new, Collectors.toList()))
                .forEach((path, endpoints) -> addRoute(router, new HttpRoute(path, endpoints, services)));
        router.route()
                .handler(routing -> answerUnmatched(
                        routing,
                        ApiProblem.of(
                                ProblemType.NOT_FOUND,
                                "unknown path; see /openapi.yaml for all operations",
                                List.of())));
        router.errorHandler(
                400, routing -> answerUnmatched(routing, ApiProblem.badRequest("the path has an invalid escape")));
        router.errorHandler(500, routing -> {
            LOG.atError().setCause(routing.failure()).log("Request failed");
            answerUnmatched(routing, ApiProblem.internalError());
        });
        return router;
    }

    private static void addRoute(Router router, HttpRoute route) {
        router.route(route.pattern()).handler(route::handle);
    }

    /** Answers a request without a matching route: a problem for programs, a page for browsers. */
    private void answerUnmatched(RoutingContext routing, ApiProblem problem) {
        HttpServerRequest request = routing.request();
        boolean browser = String.join(",", request.headers().getAll("Accept")).contains("text/html")
                && !request.path().startsWith(ApiContract.BASE);
        new RequestExchange(routing, services, "other")
                .run(
                        new HttpRoute.ReplyFormat(
                                null, browser ? dependencies.content().pageProblems() : null),
                        () -> {
                            throw problem;
                        });
    }

    /** @throws IllegalArgumentException unless each operation of the contract is implemented exactly once */
    private Map<String, Operation> byId() {
        Map<String, List<Operation>> given =
                dependencies.content().operations().stream().collect(Collectors.groupingBy(Operation::id));
        List<String> faults = new ArrayList<>();
        for (ContractOperation wanted : dependencies.content().contract().operations()) {
            int number = given.getOrDefault(wanted.id(), List.of()).size();
            if (number != 1) {
                faults.add(wanted.id() + " is implemented by " + number + " operations");
            }
        }
        List<String> known = dependencies.content().contract().operations().stream()
                .map(ContractOperation::id)
                .toList();
        given.keySet().stream()
                .filter(id -> !known.contains(id))
                .forEach(id -> faults.add(id + " is not in the contract"));
        if (!faults.isEmpty()) {
            throw new IllegalArgumentException(String.join("; ", faults));
        }
        return given.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, entry -> entry.getValue()
                .getFirst()));
    }

    private void prepareRequest(RoutingContext routing) {
        HttpServerRequest request = routing.request();
        String requestId = ResponseHeaders.requestId(request);
        routing.put(ResponseHeaders.REQUEST_ID, requestId);
        ResponseHeaders.setSecurityHeaders(routing.response().headers(), requestId);
        connectionCloser.onRequestStarted(request.connection());
        routing.addEndHandler(done -> connectionCloser.onRequestEnded(request.connection()));
        routing.next();
    }

    /** Invalid HTTP, or an oversized request line or headers. */
    private void onInvalidRequest(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        String kind = cause == null ? "" : cause.getClass().getSimpleName();
        ApiProblem problem =
                switch (kind) {
                    case "TooLongHttpLineException" ->
                        ApiProblem.tooLarge("the address is longer than "
                                        + dependencies.limits().headerBytes() + " bytes")
                                .status(414);
                    case "TooLongHttpHeaderException" ->
                        ApiProblem.tooLarge("the headers are longer than "
                                        + dependencies.limits().headerBytes() + " bytes")
                                .status(431);
                    default -> ApiProblem.badRequest("malformed HTTP request");
                };
        String requestId = ResponseHeaders.requestId(request);
        EncodedReply answer = EncodedReply.of(problem, "", requestId);
        byte[] body = answer.body();
        ResponseHeaders.setSecurityHeaders(request.response().headers(), requestId);
        request.response()
                .setStatusCode(answer.status())
                .putHeader("Content-Type", answer.mediaType())
                .putHeader("Connection", "close")
                .end(Buffer.buffer(body == null ? new byte[0] : body))
                .onComplete(sent -> request.connection().close());
    }
}
