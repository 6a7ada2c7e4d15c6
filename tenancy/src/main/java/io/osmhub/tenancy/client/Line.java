package io.osmhub.tenancy.client;

import io.osmhub.tenancy.client.ServerAccess.SignIn;
import io.osmhub.tenancy.client.ServerAccess.Trust;
import io.vertx.core.Context;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.Http2Settings;
import io.vertx.core.http.HttpClient;
import io.vertx.core.http.HttpClientOptions;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.http.PoolOptions;
import io.vertx.core.http.RequestOptions;
import io.vertx.core.net.JdkSSLEngineOptions;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.ProxyOptions;
import io.vertx.core.net.SocketAddress;
import io.vertx.core.net.TrustOptions;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The connection to one API server. Everything about it runs on one event loop, so what belongs to a request needs no locks. */
final class Line {
    private static final int STREAM_WINDOW = 256 * 1024;
    // A watch that is held back fills its own window. The connection's is larger, so that the others go on.
    private static final int CONNECTION_WINDOW = 4 * 1024 * 1024;
    // What a server would have remembered of its answers' headers is hardly repeated, and would stay in memory for each
    // connection.
    private static final int REMEMBERED_HEADERS = 0;

    private final ServerAccess access;
    private final Context context;
    private final Vertx vertx;
    private final ClientLimits limits;
    private final LiveConnections connections;
    private final HttpClient http;
    // Only for a server that turned out not to speak HTTP/2. Used on the event loop, and read when the line is closed.
    private volatile @Nullable HttpClient fallback;
    private final AtomicBoolean closed = new AtomicBoolean();

    Line(Context context, ServerAccess access, ClientLimits limits, ConnectionObserver observer) {
        this.vertx = context.owner();
        this.access = access;
        this.context = context;
        this.connections = new LiveConnections(vertx, context, observer);
        this.limits = limits;
        this.http = build(options(access, limits));
    }

    private HttpClient build(HttpClientOptions options) {
        return vertx.httpClientBuilder()
                .with(options)
                .with(new PoolOptions()
                        .setHttp2MaxSize(limits.connections())
                        .setHttp1MaxSize(limits.fallbackConnections())
                        // Otherwise each client looks every second for connections that are unused, which are kept
                        // anyway.
                        .setCleanerPeriod(0))
                .withConnectHandler(connections::opened)
                .build();
    }

    ClientLimits limits() {
        return limits;
    }

    private static HttpClientOptions options(ServerAccess access, ClientLimits limits) {
        HttpClientOptions options = new HttpClientOptions()
                .setConnectTimeout((int) limits.connectTimeout().toMillis())
                .setReadIdleTimeout((int) limits.readIdle().toMillis())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                // An unused connection is kept: its state tells whether the cluster is there.
                .setHttp2KeepAliveTimeout(0)
                .setHttp2ConnectionWindowSize(CONNECTION_WINDOW)
                .setInitialSettings(new Http2Settings()
                        .setInitialWindowSize(STREAM_WINDOW)
                        .setHeaderTableSize(REMEMBERED_HEADERS)
                        .setPushEnabled(false))
                .setTcpKeepAlive(true)
                .setMaxRedirects(0)
                .setDecompressionSupported(false);
        URI proxy = access.proxy();
        if (proxy != null) {
            options.setProxyOptions(new ProxyOptions().setHost(proxy.getHost()).setPort(proxy.getPort()));
        }
        return access.tls() ? secured(options, access, limits) : options;
    }

    private static HttpClientOptions secured(HttpClientOptions options, ServerAccess access, ClientLimits limits) {
        options.setSsl(true)
                .setSslEngineOptions(new JdkSSLEngineOptions())
                .setUseAlpn(true)
                .setProtocolVersion(HttpVersion.HTTP_2)
                .setAlpnVersions(List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1))
                .setSslHandshakeTimeout(limits.connectTimeout().toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
        switch (access.trust()) {
            case Trust.Authorities(String pem) -> options.setTrustOptions(TrustOptions.wrap(ServerTrust.in(pem)));
            case Trust.Anyone() -> options.setTrustAll(true).setVerifyHost(false);
            case Trust.Defaults() -> {
                // Without options Vert.x asks the runtime's trust store, and checks the name.
            }
        }
        switch (access.signIn()) {
            case SignIn.Certificate certificate ->
                options.setKeyCertOptions(new PemKeyCertOptions()
                        .setCertValue(Buffer.buffer(certificate.certificatePem()))
                        .setKeyValue(Buffer.buffer(certificate.privateKeyPem().reveal())));
            case SignIn.Token _ -> {
                // Goes with each request.
            }
            case SignIn.Nobody() -> {
                // Nothing to show.
            }
        }
        return options;
    }

    /** Where a request goes; path and query are the caller's. */
    RequestOptions target() {
        RequestOptions target = new RequestOptions()
                .setHost(access.tlsName().isEmpty() ? access.host() : access.tlsName())
                .setPort(access.port())
                .setSsl(access.tls())
                .setFollowRedirects(false);
        InetAddress address = access.address();
        if (address != null && access.proxy() == null) {
            target.setServer(SocketAddress.inetSocketAddress(new InetSocketAddress(address, access.port())));
        }
        return target;
    }

    ServerAccess access() {
        return access;
    }

    Context context() {
        return context;
    }

    Vertx vertx() {
        return vertx;
    }

    HttpClient http() {
        HttpClient other = fallback;
        return other == null ? http : other;
    }

    /**
     * Notes in which version the server answers. A pool that waits for HTTP/2 gives a server of HTTP/1.1 as many connections as
     * it would have of HTTP/2: one, which the first watch takes for good. So from now on another pool is used.
     */
    void answeredIn(HttpVersion version) {
        if (version != HttpVersion.HTTP_2 && access.tls() && fallback == null && !closed.get()) {
            fallback = build(options(access, limits)
                    .setProtocolVersion(HttpVersion.HTTP_1_1)
                    .setAlpnVersions(List.of(HttpVersion.HTTP_1_1)));
        }
    }

    LiveConnections connections() {
        return connections;
    }

    /** Shared by all transports of this line: closing one closes them all. */
    AtomicBoolean closed() {
        return closed;
    }

    void close() {
        http.close();
        HttpClient other = fallback;
        if (other != null) {
            other.close();
        }
    }
}
