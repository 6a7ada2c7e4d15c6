package io.osmhub.tenancy.client;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.http.HttpVersion;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;

/** Clients and servers of one test, closed with it. */
final class ClientFixture implements AfterEachCallback {
    static final TestAuthority.Issued CERTIFICATE =
            TestApiServer.AUTHORITY.server("localhost", "worker.example", "127.0.0.1");

    private final List<AutoCloseable> open = new ArrayList<>();

    @SuppressWarnings("NullAway.Init") // set before all tests
    private Vertx vertx;

    /** Sets the Vert.x to use; its owner closes it. */
    void use(Vertx provided) {
        vertx = provided;
    }

    ClientPool pool() {
        ClientPool pool = new ClientPool(vertx, "osm-hub");
        open.addFirst(pool);
        return pool;
    }

    ApiClient client(ServerAccess access) {
        // A busy machine must not make a test fail.
        return client(access, ClientLimits.WORKER.withRequestTimeout(Duration.ofMinutes(1)));
    }

    ApiClient client(ServerAccess access, ClientLimits limits) {
        return pool().worker(access, limits, RequestObserver.NONE, ConnectionObserver.NONE);
    }

    TestApiServer server(Handler<HttpServerRequest> answers) {
        return server(CERTIFICATE, HttpVersion.HTTP_2, answers);
    }

    TestApiServer server(TestAuthority.Issued certificate, HttpVersion version, Handler<HttpServerRequest> answers) {
        TestApiServer server = TestApiServer.start(vertx, certificate, version, answers);
        open.add(server);
        return server;
    }

    /** Closes it after the test, before the servers. */
    void closeLater(AutoCloseable one) {
        open.addFirst(one);
    }

    Vertx vertx() {
        return vertx;
    }

    @Override
    public void afterEach(ExtensionContext context) throws Exception {
        for (AutoCloseable one : open) {
            one.close();
        }
        open.clear();
    }
}
