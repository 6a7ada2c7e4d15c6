package io.osmhub.tenancy.client;

import io.osmhub.tenancy.client.ServerAccess.Authentication;
import io.osmhub.tenancy.client.ServerAccess.ServerTrustPolicy;
import io.osmhub.workersync.apiserver.ApiFailure;
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
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/** The connection to one API server. Confined to one event loop, so that request state needs no locks. */
final class ServerConnection {
    /** For the connection, and again for the TLS handshake. */
    private static final Duration CONNECT_TIMEOUT = Duration.ofSeconds(5);

    private static final int STREAM_WINDOW = 256 * 1024;
    // A paused watch fills its own window. The connection's is larger, so that others continue.
    private static final int CONNECTION_WINDOW = 4 * 1024 * 1024;
    // Response headers rarely repeat, so a table of them would only use memory for each connection.
    private static final int REMEMBERED_HEADERS = 0;

    private final ServerAccess access;
    private final Context context;
    private final Vertx vertx;
    private final ClientLimits limits;
    private final TransportOptions options;
    private final OpenConnections connections;
    private final AtomicBoolean closed = new AtomicBoolean();
    private volatile @Nullable CertificateFailure lastCertificateFailure;
    // The last one is used. Earlier ones may still have a watch.
    private final List<HttpClient> clients = new CopyOnWriteArrayList<>();
    // Used on the event loop.
    private boolean javaTls;
    private boolean http1;

    ServerConnection(Context context, ServerAccess access, TransportOptions options) {
        this.vertx = context.owner();
        this.access = access;
        this.context = context;
        this.connections = new OpenConnections(vertx, context, options.connections());
        this.limits = options.limits();
        this.options = options;
        this.javaTls = !NativeTls.supports(access.authentication());
        addClient();
    }

    TransportOptions options() {
        return options;
    }

    /** A failed request without a response. Remembers why a certificate was rejected. */
    ApiFailure failure(Throwable thrown) {
        CertificateFailure rejected = TransportFailures.certificateFailure(thrown);
        if (rejected != null) {
            lastCertificateFailure = rejected;
        }
        return TransportFailures.of(thrown, closed.get());
    }

    @Nullable CertificateFailure lastCertificateFailure() {
        return lastCertificateFailure;
    }

    private void addClient() {
        clients.add(vertx.httpClientBuilder()
                .with(httpOptions())
                .with(new PoolOptions()
                        .setHttp2MaxSize(limits.connections())
                        .setHttp1MaxSize(limits.fallbackConnections())
                        // Otherwise each client checks every second for idle connections, which are kept anyway.
                        .setCleanerPeriod(0))
                .withConnectHandler(connections::add)
                .build());
    }

    ClientLimits limits() {
        return limits;
    }

    private HttpClientOptions httpOptions() {
        HttpClientOptions options = new HttpClientOptions()
                .setConnectTimeout((int) CONNECT_TIMEOUT.toMillis())
                .setReadIdleTimeout((int) limits.readIdle().toMillis())
                .setIdleTimeoutUnit(TimeUnit.MILLISECONDS)
                // An idle connection is kept: its state shows whether the cluster is available.
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
        return access.tls() ? secured(options) : options;
    }

    private HttpClientOptions secured(HttpClientOptions options) {
        if (javaTls) {
            options.setSslEngineOptions(new JdkSSLEngineOptions());
        } else {
            options.setSslEngineOptions(NativeTls.engine());
            NativeTls.CIPHER_SUITES.forEach(options::addEnabledCipherSuite);
        }
        options.setSsl(true)
                .setUseAlpn(true)
                .setProtocolVersion(http1 ? HttpVersion.HTTP_1_1 : HttpVersion.HTTP_2)
                .setAlpnVersions(
                        http1 ? List.of(HttpVersion.HTTP_1_1) : List.of(HttpVersion.HTTP_2, HttpVersion.HTTP_1_1))
                .setSslHandshakeTimeout(CONNECT_TIMEOUT.toMillis())
                .setSslHandshakeTimeoutUnit(TimeUnit.MILLISECONDS);
        switch (access.trust()) {
            case ServerTrustPolicy.Authorities(String pem) ->
                options.setTrustOptions(TrustOptions.wrap(KubeconfigTrustManager.ofAuthorities(pem)));
            case ServerTrustPolicy.Insecure() -> options.setTrustAll(true).setVerifyHost(false);
            case ServerTrustPolicy.Defaults() -> {
                // Without options Vert.x uses the runtime's trust store, and verifies the name.
            }
        }
        switch (access.authentication()) {
            case Authentication.Certificate certificate ->
                options.setKeyCertOptions(new PemKeyCertOptions()
                        .setCertValue(Buffer.buffer(certificate.certificatePem()))
                        .setKeyValue(Buffer.buffer(certificate.privateKeyPem().reveal())));
            case Authentication.Token _ -> {
                // Sent with each request.
            }
            case Authentication.Anonymous() -> {
                // No credential.
            }
        }
        return options;
    }

    /** Target of a request, without path and query. */
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
        return clients.getLast();
    }

    /**
     * Records the server's HTTP version. A pool for HTTP/2 allows an HTTP/1.1 server only as many connections: one, which the
     * first watch occupies permanently. From then on another pool is used.
     */
    void recordHttpVersion(HttpVersion version) {
        if (version != HttpVersion.HTTP_2 && access.tls() && !http1 && !closed.get()) {
            http1 = true;
            addClient();
        }
    }

    /**
     * Decides whether a request that got no connection is sent again: with Java's TLS if the server rejected the native library's
     * offer, which lacks rare keys. Java's TLS then also explains the failure of a server that rejects both.
     *
     * @param used client of the failed request
     */
    boolean retriesWithJavaTls(HttpClient used, Throwable failure) {
        if (closed.get() || !NativeTls.isRejected(failure)) {
            return false;
        }
        if (!javaTls) {
            javaTls = true;
            addClient();
        }
        return used != http();
    }

    OpenConnections connections() {
        return connections;
    }

    /** Shared by all transports of this connection: closing one closes all. */
    AtomicBoolean closed() {
        return closed;
    }

    void close() {
        clients.forEach(HttpClient::close);
    }
}
