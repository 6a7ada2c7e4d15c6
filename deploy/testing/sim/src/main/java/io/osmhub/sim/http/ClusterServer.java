package io.osmhub.sim.http;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.ssl.DelegatingSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslHandler;
import io.osmhub.sim.auth.Authenticator;
import io.osmhub.sim.auth.Authorizer;
import io.osmhub.sim.auth.ReviewHandler;
import io.osmhub.sim.auth.ServiceAccountTokens;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.faults.WireFaults;
import io.osmhub.sim.objects.ObjectOperations;
import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Promise;
import io.vertx.core.Vertx;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.impl.VertxInternal;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.KeyCertOptions;
import io.vertx.core.spi.tls.SslContextFactory;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLEngine;
import org.jspecify.annotations.Nullable;

/** The port of one cluster: TLS with HTTP/2 and HTTP/1.1 on loopback, opened and closed by faults. */
public final class ClusterServer {
    private static final String HOST = "127.0.0.1";

    private final Vertx vertx;
    private final ApiHandler handler;
    private final FaultyTls tls;
    private final ClusterFaults faults;
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile @Nullable HttpServer server;
    private volatile int port;

    /** Does not listen yet. {@code tls} is called for each new connection; port 0 means a free one. */
    public ClusterServer(Vertx vertx, int port, Supplier<SslContext> tls, ClusterComponents parts) {
        this.vertx = vertx;
        this.port = port;
        this.handler = new ApiHandler(vertx, parts);
        this.faults = parts.faults();
        this.tls = new FaultyTls(tls, faults);
    }

    /** Opens the port, which faults may close and open from then on. */
    public Future<Void> start() {
        return open().onSuccess(_ -> faults.onChange(this::follow));
    }

    /** Closes the port and all connections. */
    public Future<Void> stop() {
        HttpServer open = server;
        server = null;
        return open == null ? Future.succeededFuture() : open.close();
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
                .requestHandler(handler)
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

    private void follow(ClusterFaults.FaultChange change) {
        switch (change) {
            case CLOSE_CONNECTIONS -> connections.forEach(HttpConnection::close);
            case LISTENER -> {
                if (faults.isOn(ClusterFaults.Switch.REFUSE_CONNECTIONS)) {
                    stop();
                } else if (server == null) {
                    open();
                }
            }
            case WIRE, END_WATCHES -> {}
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

    /** The parts of one cluster behind its HTTP server. */
    public record ClusterComponents(
            ObjectOperations objects,
            Authenticator authenticator,
            Authorizer authorizer,
            ReviewHandler reviews,
            ServiceAccountTokens tokens,
            ClusterFaults faults,
            RequestCounters counters) {}

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
