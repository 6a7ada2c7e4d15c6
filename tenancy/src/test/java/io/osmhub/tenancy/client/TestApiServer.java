package io.osmhub.tenancy.client;

import io.osmhub.core.model.Sensitive;
import io.osmhub.tenancy.client.ServerAccess.Authentication;
import io.osmhub.tenancy.client.ServerAccess.ServerTrustPolicy;
import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.ClientAuth;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import io.vertx.core.net.PemKeyCertOptions;
import io.vertx.core.net.PemTrustOptions;
import java.net.InetAddress;
import java.net.URI;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** A TLS server with scripted responses. */
public final class TestApiServer implements AutoCloseable {
    public static final TestAuthority AUTHORITY = new TestAuthority("test authority");

    private final HttpServer server;
    private final AtomicInteger opened = new AtomicInteger();
    private final Set<HttpConnection> connections = ConcurrentHashMap.newKeySet();

    private TestApiServer(HttpServer server) {
        this.server = server;
    }

    public static TestApiServer start(Vertx vertx, Handler<HttpServerRequest> answers) {
        return start(vertx, AUTHORITY.server("localhost", "worker.example", "127.0.0.1"), HttpVersion.HTTP_2, answers);
    }

    public static TestApiServer start(
            Vertx vertx, TestAuthority.Issued certificate, HttpVersion version, Handler<HttpServerRequest> answers) {
        return start(vertx, certificate, version, List.of("TLSv1.3", "TLSv1.2"), answers);
    }

    static TestApiServer start(
            Vertx vertx,
            TestAuthority.Issued certificate,
            HttpVersion version,
            List<String> protocols,
            Handler<HttpServerRequest> answers) {
        HttpServer server = vertx.createHttpServer(new HttpServerOptions()
                .setSsl(true)
                .setUseAlpn(true)
                .setAlpnVersions(List.of(version))
                .setEnabledSecureTransportProtocols(new LinkedHashSet<>(protocols))
                .setSni(true)
                .setClientAuth(ClientAuth.REQUEST)
                .setTrustOptions(new PemTrustOptions().addCertValue(Buffer.buffer(AUTHORITY.pem())))
                .setKeyCertOptions(new PemKeyCertOptions()
                        .setCertValue(Buffer.buffer(certificate.certificatePem()))
                        .setKeyValue(Buffer.buffer(certificate.pkcs8()))));
        TestApiServer test = new TestApiServer(server);
        server.connectionHandler(test::count);
        server.requestHandler(answers);
        server.listen(0, "127.0.0.1").toCompletionStage().toCompletableFuture().join();
        return test;
    }

    private void count(HttpConnection connection) {
        opened.incrementAndGet();
        connections.add(connection);
        connection.closeHandler(closed -> connections.remove(connection));
    }

    public int port() {
        return server.actualPort();
    }

    /** Connections opened so far. */
    public int opened() {
        return opened.get();
    }

    /** Open connections. */
    public Set<HttpConnection> connections() {
        return connections;
    }

    /** Access by address, with the name {@code worker.example} and a token. */
    public ServerAccess access() {
        return access("worker.example", new Authentication.Token(new Sensitive("token-of-the-hub")));
    }

    public ServerAccess access(String host, Authentication signIn) {
        return new ServerAccess(
                URI.create("https://" + host + ":" + port()),
                new ServerTrustPolicy.Authorities(AUTHORITY.pem()),
                signIn,
                "",
                InetAddress.getLoopbackAddress(),
                null);
    }

    /** Responds 200 with JSON. */
    public static void json(HttpServerRequest request, String body) {
        request.response().putHeader("Content-Type", "application/json").end(body);
    }

    @Override
    public void close() {
        server.close().toCompletionStage().toCompletableFuture().join();
    }
}
