package io.osmhub.sim.faults;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.osmhub.sim.auth.SimulatedAuthority;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import io.osmhub.sim.faults.ClusterFaults.FaultChange;
import io.osmhub.sim.faults.ClusterFaults.MemoryAttack;
import io.osmhub.sim.faults.ClusterFaults.Switch;
import io.osmhub.sim.http.ApiHandler;
import io.osmhub.sim.http.EventLoop;
import io.osmhub.sim.http.RequestCounters;
import io.osmhub.sim.http.ResponseStream;
import io.osmhub.sim.http.SimulatedRequest;
import io.osmhub.sim.http.SimulatedRequest.HttpContent;
import io.osmhub.sim.http.SimulatedResponse;
import io.osmhub.sim.objects.ApiError;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpServerResponse;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.security.GeneralSecurityException;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.format.DateTimeFormatter;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLPeerUnverifiedException;
import org.jspecify.annotations.Nullable;

/**
 * The port in front of one API server, simulated or real: TLS with HTTP/2 and HTTP/1.1 on loopback. Passes requests on, unless the faults
 * decide otherwise.
 */
public final class FaultProxy {
    private static final String HOST = "127.0.0.1";
    private static final DateTimeFormatter HTTP_DATE = DateTimeFormatter.ofPattern(
                    "EEE, dd MMM yyyy HH:mm:ss 'GMT'", Locale.ROOT)
            .withZone(ZoneOffset.UTC);

    /** The API server that requests are passed on to. */
    @FunctionalInterface
    public interface Upstream {
        Future<SimulatedResponse> send(SimulatedRequest request);
    }

    private final Vertx vertx;
    private final Upstream upstream;
    private final FaultyTls tls;
    private final ClusterFaults faults = new ClusterFaults();
    private final RequestCounters counters;
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private final Set<Runnable> openWatches = ConcurrentHashMap.newKeySet();
    private volatile @Nullable HttpServer server;
    private volatile int port;
    private Future<Void> portChange = Future.succeededFuture(); // the latest

    /**
     * Does not listen yet.
     *
     * @param port 0 for a free one
     * @param authority issues the certificates that faults serve instead of that of {@code ownTls}
     * @param counters get the requests that are not passed on
     */
    public FaultProxy(
            Vertx vertx,
            int port,
            SimulatedAuthority authority,
            SslContext ownTls,
            RequestCounters counters,
            Upstream upstream) {
        this.vertx = vertx;
        this.port = port;
        this.upstream = upstream;
        this.counters = counters;
        this.tls = new FaultyTls(() -> tls(authority, ownTls), faults);
    }

    private SslContext tls(SimulatedAuthority authority, SslContext ownTls) {
        return switch (faults.certificate()) {
            case OWN -> ownTls;
            case RENEWED -> authority.tlsContext();
            case FOREIGN ->
                authority.tlsContext(SimulatedAuthority.create("foreign").serving());
        };
    }

    public ClusterFaults faults() {
        return faults;
    }

    /** Opens the port, which faults may close and open from then on. */
    public Future<Void> start() {
        return changePort(this::open).onSuccess(_ -> faults.onChange(this::follow));
    }

    /** Closes the port and all connections. */
    public Future<Void> stop() {
        return changePort(this::close);
    }

    /** Opens or closes the port when earlier changes have ended, since the same port cannot be opened before it is closed. */
    private synchronized Future<Void> changePort(Supplier<Future<Void>> change) {
        portChange = portChange.transform(_ -> change.get());
        return portChange;
    }

    private Future<Void> close() {
        HttpServer open = server;
        server = null;
        return open == null ? Future.succeededFuture() : open.close();
    }

    /** {@code https://127.0.0.1:port}. */
    public String url() {
        return "https://" + HOST + ":" + port;
    }

    /** Known after the start; does not change when it is closed and opened again. */
    public int port() {
        return port;
    }

    /** Number of open connections. */
    public int connections() {
        return connections.size();
    }

    private Future<Void> open() {
        HttpServer opening = vertx.createHttpServer(options())
                .requestHandler(this::receive)
                .connectionHandler(connection -> {
                    connections.add(connection);
                    connection.closeHandler(_ -> connections.remove(connection));
                });
        Promise<Void> opened = Promise.promise();
        // Connections use the event loop that opens their server; without this, all servers would use the caller's.
        Context ownLoop = ((VertxInternal) vertx).createEventLoopContext();
        ownLoop.runOnContext(_ -> opening.listen()
                .onSuccess(listening -> {
                    server = listening;
                    port = listening.actualPort();
                })
                .<Void>mapEmpty()
                .onComplete(opened));
        return opened.future();
    }

    private HttpServerOptions options() {
        return new HttpServerOptions()
                .setHost(HOST)
                .setPort(port)
                .setSsl(true)
                .setUseAlpn(true)
                .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1))
                .setSslEngineOptions(tls)
                .setKeyCertOptions(new NoKeys())
                .setClientAuth(ClientAuth.REQUEST)
                // The server must not end a black-holed handshake.
                .setSslHandshakeTimeout(1)
                .setSslHandshakeTimeoutUnit(TimeUnit.DAYS)
                .setInitialSettings(new Http2Settings().setMaxConcurrentStreams(1000))
                .setMaxInitialLineLength(16 * 1024)
                .setMaxHeaderSize(32 * 1024);
    }

    private void follow(FaultChange change) {
        switch (change) {
            case CLOSE_CONNECTIONS -> connections.forEach(HttpConnection::close);
            // The switch may have changed again when it is the turn of this change.
            case LISTENER ->
                changePort(() -> {
                            if (faults.isOn(Switch.REFUSE_CONNECTIONS)) {
                                return close();
                            }
                            return server == null ? open() : Future.succeededFuture();
                        })
                        .onFailure(((VertxInternal) vertx).getOrCreateContext()::reportException);
            case END_WATCHES -> openWatches.forEach(Runnable::run);
            case WIRE -> {}
        }
    }

    private void receive(HttpServerRequest received) {
        received.body().onSuccess(body -> {
            SimulatedRequest request = toRequest(received, body);
            boolean needsSeat = !request.verb().equals("watch");
            if (needsSeat && !faults.tryAcquireSlot()) {
                reject(request, received.response(), 429, Duration.ofSeconds(1));
                return;
            }
            Runnable task = () -> decide(request, received).onComplete(_ -> {
                if (needsSeat) {
                    faults.releaseSlot();
                }
            });
            long delay = faults.latency().toMillis();
            if (delay > 0) {
                vertx.setTimer(delay, _ -> task.run());
            } else {
                task.run();
            }
        });
    }

    private static SimulatedRequest toRequest(HttpServerRequest received, Buffer body) {
        Map<String, String> headers = new TreeMap<>(String.CASE_INSENSITIVE_ORDER);
        received.headers().forEach(headers::put);
        return new SimulatedRequest(new HttpContent(
                received.method().name(), received.uri(), headers, body.getBytes(), certificate(received)));
    }

    private static @Nullable X509Certificate certificate(HttpServerRequest received) {
        try {
            List<Certificate> chain = received.connection().peerCertificates();
            return chain.isEmpty() ? null : (X509Certificate) chain.getFirst();
        } catch (SSLPeerUnverifiedException none) {
            return null;
        }
    }

    /** Returns when the server has answered, if it gets the request. */
    private Future<?> decide(SimulatedRequest request, HttpServerRequest received) {
        HttpServerResponse response = received.response();
        switch (faults.decide(request.requestInfo())) {
            case FaultAction.Pass() -> {
                return pass(request, received);
            }
            case FaultAction.Fail(int code, Duration retryAfter) -> reject(request, response, code, retryAfter);
            case FaultAction.AttackResponse(MemoryAttack by) -> {
                count(request, 200);
                MemoryAttackWriter.writeEndlessResponse(vertx, response, by);
            }
            case FaultAction.Drop() -> {
                count(request, 0);
                received.connection().close();
            }
            case FaultAction.DropResponse() -> {
                return upstream.send(request)
                        .onSuccess(SimulatedResponse::discard)
                        .onComplete(_ -> received.connection().close());
            }
            case FaultAction.FailResponse(int code) -> {
                return upstream.send(request)
                        .onSuccess(SimulatedResponse::discard)
                        .onComplete(_ -> send(request, response, SimulatedResponse.of(ApiError.injected(code))));
            }
        }
        return Future.succeededFuture();
    }

    private Future<?> pass(SimulatedRequest request, HttpServerRequest received) {
        if (faults.isOn(Switch.CREDENTIALS_EXPIRED) && !ApiHandler.isPublic(request)) {
            refuse(request, received.response(), ApiError.unauthorized());
        } else if (faults.isOn(Switch.WATCHES_ARE_GONE) && request.verb().equals("watch")) {
            refuse(request, received.response(), ApiError.expired("too old resource version: injected fault"));
        } else {
            return upstream.send(request)
                    .onSuccess(answer -> send(request, received.response(), answer))
                    .onFailure(_ -> received.connection().close());
        }
        return Future.succeededFuture();
    }

    private void reject(SimulatedRequest request, HttpServerResponse response, int code, Duration retryAfter) {
        if (!retryAfter.isZero()) {
            response.putHeader("Retry-After", Long.toString(retryAfter.toSeconds()));
        }
        refuse(
                request,
                response,
                code == 429 ? ApiError.tooManyRequests(retryAfter.toSeconds()) : ApiError.injected(code));
    }

    private void refuse(SimulatedRequest request, HttpServerResponse response, ApiError error) {
        count(request, error.code());
        send(request, response, SimulatedResponse.of(error));
    }

    private void send(SimulatedRequest request, HttpServerResponse response, SimulatedResponse answer) {
        if (response.ended() || response.closed()) {
            answer.discard();
            return;
        }
        response.setStatusCode(answer.code())
                .putHeader("Date", HTTP_DATE.format(Instant.now()))
                .putHeader("Cache-Control", "no-cache, private");
        answer.headers().forEach(response::putHeader);
        ResponseStream stream = answer.stream();
        if (stream == null) {
            response.putHeader("Content-Length", Integer.toString(answer.body().length))
                    .end(Buffer.buffer(answer.body()));
        } else {
            stream(request, response, stream);
        }
    }

    private void stream(SimulatedRequest request, HttpServerResponse response, ResponseStream stream) {
        ContextLoop loop = new ContextLoop(vertx, vertx.getOrCreateContext());
        AtomicReference<Runnable> started = new AtomicReference<>(() -> {});
        Runnable stop = () -> Objects.requireNonNull(started.get()).run();
        Runnable endWatch = () -> loop.execute(() -> {
            stop.run();
            if (!response.ended() && !response.closed()) {
                response.end();
            }
        });
        if (request.verb().equals("watch")) {
            // Before the client knows of the watch, so that a fault that follows ends it.
            openWatches.add(endWatch);
        }
        response.setChunked(true).writeHead();
        started.set(
                stream.start(loop, piece -> response.write(Buffer.buffer(piece)).toCompletionStage(), response::end));
        response.endHandler(_ -> openWatches.remove(endWatch));
        response.closeHandler(_ -> {
            openWatches.remove(endWatch);
            stop.run();
        });
        response.exceptionHandler(_ -> stop.run());
    }

    /** Code 0 means no response. */
    private void count(SimulatedRequest request, int code) {
        counters.count(request.verb(), request.resource(), "", code);
    }

    private record ContextLoop(Vertx vertx, Context context) implements EventLoop {
        @Override
        public void execute(Runnable task) {
            context.runOnContext(_ -> task.run());
        }

        @Override
        public Runnable schedule(Duration delay, Runnable task) {
            long timer = vertx.setTimer(Math.max(1, delay.toMillis()), _ -> execute(task));
            return () -> vertx.cancelTimer(timer);
        }
    }

    /** Vert.x requires a key although the shared context has one. */
    private static final class NoKeys implements KeyCertOptions {
        @Override
        public KeyCertOptions copy() {
            return this;
        }

        @Override
        public KeyManagerFactory getKeyManagerFactory(Vertx vertx) throws GeneralSecurityException {
            KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
            factory.init(null, null);
            return factory;
        }

        @Override
        public @Nullable Function<String, KeyManagerFactory> keyManagerFactoryMapper(Vertx vertx) {
            return null;
        }
    }

    /** Lets Vert.x serve with a replaceable TLS context that clusters share, above {@link WireFaults}. */
    static final class FaultyTls extends JdkSSLEngineOptions {
        private final Supplier<SslContext> current;
        private final ClusterFaults faults;

        /** {@code current} is called for each new connection. */
        FaultyTls(Supplier<SslContext> current, ClusterFaults faults) {
            this.current = current;
            this.faults = faults;
        }

        @Override
        public JdkSSLEngineOptions copy() {
            return this;
        }

        @Override
        public SslContextFactory sslContextFactory() {
            return () -> new SwitchedContext(current, faults);
        }

        private static final class SwitchedContext extends DelegatingSslContext {
            private final Supplier<SslContext> current;
            private final ClusterFaults faults;

            SwitchedContext(Supplier<SslContext> current, ClusterFaults faults) {
                super(current.get());
                this.current = current;
                this.faults = faults;
            }

            @Override
            protected SslHandler newHandler(ByteBufAllocator allocator, boolean startTls, Executor executor) {
                return new FaultyHandler(current.get().newEngine(allocator), startTls, executor, faults);
            }

            @Override
            protected SslHandler newHandler(
                    ByteBufAllocator allocator, String peerHost, int peerPort, boolean startTls, Executor executor) {
                return new FaultyHandler(
                        current.get().newEngine(allocator, peerHost, peerPort), startTls, executor, faults);
            }

            @Override
            protected void initEngine(SSLEngine engine) {
                // The shared context has initialized it.
            }
        }

        private static final class FaultyHandler extends SslHandler {
            private final ClusterFaults faults;

            FaultyHandler(SSLEngine engine, boolean startTls, Executor executor, ClusterFaults faults) {
                super(engine, startTls, executor);
                this.faults = faults;
            }

            @Override
            public void handlerAdded(ChannelHandlerContext context) throws Exception {
                context.pipeline().addBefore(context.name(), "wire-faults", new WireFaults(faults));
                super.handlerAdded(context);
            }
        }
    }
}
