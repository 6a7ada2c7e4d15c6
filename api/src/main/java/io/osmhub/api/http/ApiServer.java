package io.osmhub.api.http;

import io.osmhub.api.access.RateLimits;
import io.osmhub.api.access.Sessions;
import io.osmhub.api.access.Strangers;
import io.osmhub.api.certificate.ServingCertificate;
import io.osmhub.api.contract.Contract;
import io.osmhub.api.contract.ContractOperation;
import io.osmhub.api.problem.ApiProblem;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.SSLOptions;
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
 * The HTTPS server of the API and the console, on one port. Its sockets live on one event loop, so that a flood of handshakes leaves
 * the others to the tenants; requests run on virtual threads.
 */
public final class ApiServer {
    private static final Logger LOG = LoggerFactory.getLogger(ApiServer.class);
    private static final int HANDSHAKE_SECONDS = 5;

    private final Vertx vertx;
    private final Parts parts;
    private final Services services;
    private final ConnectionGuard guard;
    private @Nullable HttpServer server;
    private long sweeper = -1;

    /**
     * What a server is made of.
     *
     * @param operations each operation of the contract exactly once
     * @param threads one virtual thread for each task
     * @param audits whether writes are told in audit lines
     * @param checksAnswers whether each answer is held against the contract before it is sent; for tests
     */
    public record Parts(
            Contract contract,
            List<Operation> operations,
            List<Page> pages,
            PageProblems pageProblems,
            Strangers strangers,
            Sessions sessions,
            RateLimits rates,
            ServingCertificate certificate,
            HttpLimits limits,
            HttpObserver observer,
            ExecutorService threads,
            boolean audits,
            boolean checksAnswers) {
        public Parts {
            operations = List.copyOf(operations);
            pages = List.copyOf(pages);
        }
    }

    /** A server that does not listen yet; refuses parts that do not fit the contract. */
    public ApiServer(Vertx vertx, Parts parts) {
        this.vertx = vertx;
        this.parts = parts;
        this.services = new Services(
                parts.limits(),
                parts.threads(),
                parts.observer(),
                new AuditLog(parts.audits()),
                new SignIns(parts.strangers(), parts.sessions()),
                parts.rates(),
                parts.checksAnswers());
        this.guard = new ConnectionGuard(parts.limits(), System::nanoTime);
    }

    /**
     * Begins to listen.
     *
     * @param host a name or an address; empty for every address of the machine
     * @param port 0 takes a free one
     * @return the port, or why it cannot be listened on
     */
    public Future<Integer> listen(String host, int port) {
        Router router = router();
        HttpServer made = vertx.createHttpServer(options())
                .requestHandler(router)
                .invalidRequestHandler(this::unreadable)
                .connectionHandler(guard::opened)
                .exceptionHandler(broken -> LOG.debug("A connection broke before its first request", broken));
        server = made;
        parts.certificate().onChange(() -> made.updateSSLOptions(
                        new SSLOptions().setKeyCertOptions(parts.certificate().current()))
                .onSuccess(updated -> LOG.info("The API shows another certificate now"))
                .onFailure(fault -> LOG.error("The new certificate of the API cannot be used", fault)));
        sweeper = vertx.setPeriodic(ConnectionGuard.SWEEP_MILLIS, now -> guard.sweep());
        return made.listen(SocketAddress.inetSocketAddress(port, host.isEmpty() ? "0.0.0.0" : host))
                .map(HttpServer::actualPort);
    }

    /** Ends event streams, stops listening and closes all connections. */
    public Future<Void> close() {
        vertx.cancelTimer(sweeper);
        services.streams().forEach(EventSink::end);
        HttpServer running = server;
        return running == null ? Future.succeededFuture() : running.close();
    }

    /** Event streams that are open now. */
    public int openStreams() {
        return services.streams().size();
    }

    private HttpServerOptions options() {
        HttpLimits limits = parts.limits();
        return new HttpServerOptions()
                .setSsl(true)
                .setKeyCertOptions(parts.certificate().current())
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
        router.route().handler(this::begin);
        Map<String, Operation> operations = byId();
        parts.contract().byPath().forEach((path, onPath) -> {
            List<OperationRoute.Bound> bound = onPath.stream()
                    .map(each -> new OperationRoute.Bound(each, Objects.requireNonNull(operations.get(each.id()))))
                    .toList();
            OperationRoute route = new OperationRoute(path, bound, services);
            router.route(route.pattern()).handler(route::handle);
        });
        Map<String, List<Page>> pages = new LinkedHashMap<>();
        parts.pages().forEach(page -> pages.computeIfAbsent(page.path(), path -> new ArrayList<>())
                .add(page));
        pages.forEach((path, onPath) -> {
            PageRoute route = new PageRoute(path, onPath, parts.pageProblems(), services);
            router.route(route.pattern()).handler(route::handle);
        });
        Elsewhere elsewhere = new Elsewhere(services, parts.pageProblems());
        router.route().handler(elsewhere::notThere);
        router.errorHandler(400, elsewhere::malformed);
        router.errorHandler(500, elsewhere::fault);
        return router;
    }

    /** @throws IllegalArgumentException unless each operation of the contract is there exactly once */
    private Map<String, Operation> byId() {
        Map<String, List<Operation>> given = parts.operations().stream().collect(Collectors.groupingBy(Operation::id));
        List<String> faults = new ArrayList<>();
        for (ContractOperation wanted : parts.contract().operations()) {
            int number = given.getOrDefault(wanted.id(), List.of()).size();
            if (number != 1) {
                faults.add(wanted.id() + " is answered by " + number + " operations");
            }
        }
        List<String> known = parts.contract().operations().stream()
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

    private void begin(RoutingContext routing) {
        HttpServerRequest request = routing.request();
        String requestId = Headers.requestId(request);
        routing.put(Headers.REQUEST_ID, requestId);
        Headers.protect(routing.response().headers(), requestId);
        guard.began(request.connection());
        routing.addEndHandler(done -> guard.ended(request.connection()));
        routing.next();
    }

    /** What cannot even be read as a request: too long, or not HTTP. */
    private void unreadable(HttpServerRequest request) {
        Throwable cause = request.decoderResult().cause();
        String kind = cause == null ? "" : cause.getClass().getSimpleName();
        ApiProblem problem =
                switch (kind) {
                    case "TooLongHttpLineException" ->
                        ApiProblem.tooLarge("the address is longer than "
                                        + parts.limits().headerBytes() + " bytes")
                                .status(414);
                    case "TooLongHttpHeaderException" ->
                        ApiProblem.tooLarge("the headers are longer than "
                                        + parts.limits().headerBytes() + " bytes")
                                .status(431);
                    default -> ApiProblem.badRequest("this is not a request that can be read");
                };
        String requestId = Headers.requestId(request);
        Answering answer = Answering.of(problem, "", requestId);
        byte[] body = answer.body();
        Headers.protect(request.response().headers(), requestId);
        request.response()
                .setStatusCode(answer.status())
                .putHeader("Content-Type", answer.mediaType())
                .putHeader("Connection", "close")
                .end(Buffer.buffer(body == null ? new byte[0] : body))
                .onComplete(sent -> request.connection().close());
    }
}
