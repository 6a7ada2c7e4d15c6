package io.osmhub.sim.http;

import io.netty.handler.ssl.SslContext;
import io.osmhub.sim.faults.ClusterFaults;
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
import io.vertx.core.net.KeyCertOptions;
import java.security.GeneralSecurityException;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import java.util.function.Supplier;
import javax.net.ssl.KeyManagerFactory;
import org.jspecify.annotations.Nullable;

/** The port of one cluster: TLS with HTTP/2 and HTTP/1.1 on loopback, opened and closed as the faults say. */
public final class ClusterServer {
    private static final String HOST = "127.0.0.1";

    private final Vertx vertx;
    private final ApiHandler handler;
    private final FaultyTls tls;
    private final ClusterFaults faults;
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();
    private volatile @Nullable HttpServer server;
    private volatile int port;

    /** A server that is not yet listening; {@code tls} is asked for the context of each new connection; port 0 means any free one. */
    public ClusterServer(Vertx vertx, int port, Supplier<SslContext> tls, ClusterComponents parts) {
        this.vertx = vertx;
        this.port = port;
        this.handler = new ApiHandler(vertx, parts);
        this.faults = parts.faults();
        this.tls = new FaultyTls(tls, faults);
    }

    /** Opens the port. From then on the faults may close and open it. */
    public Future<Void> start() {
        return open().onSuccess(_ -> faults.onChange(this::follow));
    }

    /** Closes the port and all connections. */
    public Future<Void> stop() {
        HttpServer open = server;
        server = null;
        return open == null ? Future.succeededFuture() : open.close();
    }

    /** The port, known once the server has started; it stays the same when it is closed and opened again. */
    public int port() {
        return port;
    }

    /** How many connections are open. */
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
        // A server's connections live on the event loop that it was opened on, and all would be opened on the caller's.
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
                // A black-holed handshake must not be ended by us.
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
                if (faults.connectionsRefused()) {
                    stop();
                } else if (server == null) {
                    open();
                }
            }
            case WIRE, CERTIFICATE, END_WATCHES -> {}
        }
    }

    /** Vert.x asks for a key although the shared context has one. */
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
}
