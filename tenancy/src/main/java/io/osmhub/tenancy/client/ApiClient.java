package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.jspecify.annotations.Nullable;

/** The client of one API server, with its shared connection. Thread-safe. */
public final class ApiClient implements AutoCloseable {
    private final ServerConnection serverConnection;
    private final HttpClient http;
    private final Fabric8KubeApi api;
    private final Queue<Runnable> closeTaskQueue = new ConcurrentLinkedQueue<>();

    ApiClient(ServerConnection serverConnection, HttpClient http, Fabric8KubeApi api) {
        this.serverConnection = serverConnection;
        this.http = http;
        this.api = api;
    }

    /** For requests and watches; fails with CLOSED once the client is closed. */
    public KubeApi api() {
        return api;
    }

    /**
     * Reads a non-resource path, such as {@code /version}. Blocks; call it on a virtual thread.
     *
     * @throws ApiFailure as {@link KubeApi#send}
     */
    public ApiResponse read(String path) throws ApiFailure {
        return api.read(path);
    }

    /**
     * As {@link #read}, but without retries: any response, including a rejection, shows that the server is alive.
     *
     * @throws ApiFailure as {@link KubeApi#send}
     */
    public ApiResponse probe(String path) throws ApiFailure {
        return api.readOnce(path);
    }

    /**
     * Pings every open connection. Completes when all have responded or on timeout, with the highest number of consecutive
     * unanswered pings of a connection: 0 if there are none or no connection.
     */
    public CompletableFuture<Integer> ping(Duration within) {
        return serverConnection.connections().ping(within);
    }

    /** TLS parameters of an open connection; empty if none is open, or none with TLS. */
    public Optional<TlsSession> session() {
        return serverConnection.connections().session();
    }

    public int openConnections() {
        return serverConnection.connections().count();
    }

    public boolean isConnected() {
        return openConnections() > 0;
    }

    /** Why the server's certificate was last rejected; null if it never was. */
    public @Nullable CertificateFailure lastCertificateFailure() {
        return serverConnection.lastCertificateFailure();
    }

    /**
     * Pings the connections regularly and closes those that do not respond, for a client without a connection monitor.
     *
     * @param pings consecutive unanswered pings before closing
     */
    ApiClient keepAlive(Vertx vertx, Duration interval, int pings) {
        long timer = vertx.setPeriodic(interval.toMillis(), now -> keepAlive(interval, pings));
        return atClose(() -> vertx.cancelTimer(timer));
    }

    /** Runs once when the client closes, or immediately if it is closed. */
    ApiClient atClose(Runnable last) {
        closeTaskQueue.add(last);
        if (http.isClosed()) {
            runLast();
        }
        return this;
    }

    private void runLast() {
        for (Runnable last = closeTaskQueue.poll(); last != null; last = closeTaskQueue.poll()) {
            last.run();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // never fails
    private void keepAlive(Duration interval, int pings) {
        ping(interval).thenAccept(worst -> {
            if (worst >= pings) {
                serverConnection.connections().closeUnanswered(pings);
            }
        });
    }

    /** Cancels every request and watch. Idempotent. */
    @Override
    public void close() {
        http.close();
        runLast();
    }
}
