package io.osmhub.tenancy.client;

import io.fabric8.kubernetes.client.http.HttpClient;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiRequest;
import io.osmhub.workersync.apiserver.KubeApi;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** The client of one API server: its requests, and the connection that they share. Safe for use by many threads. */
public final class ApiClient implements AutoCloseable {
    private final Line line;
    private final HttpClient http;
    private final FabricKubeApi api;
    private final Consumer<ApiClient> closed;
    private final Queue<Runnable> atClose = new ConcurrentLinkedQueue<>();

    ApiClient(Line line, HttpClient http, FabricKubeApi api, Consumer<ApiClient> closed) {
        this.line = line;
        this.http = http;
        this.api = api;
        this.closed = closed;
    }

    /** For requests and watches; fails with CLOSED once the client is closed. */
    public KubeApi api() {
        return api;
    }

    /**
     * Reads a path that belongs to no resource, such as {@code /version}; waits, so only on a virtual thread.
     *
     * @throws ApiFailure as {@link KubeApi#send}
     */
    public Reading read(String path) throws ApiFailure {
        return api.read(path);
    }

    /**
     * As {@link #read}, but once and also when the server is busy: any answer, also a refusal, is a sign of life.
     *
     * @throws ApiFailure as {@link KubeApi#send}
     */
    public Reading probe(String path) throws ApiFailure {
        return api.readOnce(path);
    }

    /** As {@link KubeApi#send}, together with the server's time. */
    public Reading send(ApiRequest request) throws ApiFailure {
        return api.exchange(request);
    }

    /**
     * Asks every open connection for a sign of life. Completes when all have answered or the time is over, with the most pings
     * in a row that one of them did not answer: 0 when all is well, also when there is no connection.
     */
    public CompletableFuture<Integer> ping(Duration within) {
        return line.connections().ping(within);
    }

    /** What was agreed with the server on an open connection; empty when none is open, or none with TLS. */
    public Optional<TlsSession> session() {
        return line.connections().session();
    }

    public int openConnections() {
        return line.connections().count();
    }

    public boolean isConnected() {
        return openConnections() > 0;
    }

    /** Closes the connections but not the client: requests that run fail, the next one connects anew. */
    public void dropConnections() {
        line.connections().closeAll();
    }

    /** Why the server's certificate was last refused; null when it never was. */
    public @Nullable TlsRefusal lastTlsRefusal() {
        return api.lastTlsRefusal();
    }

    /**
     * Pings the connections by itself from now on and closes those that do not answer. For a client that nobody else watches
     * over.
     *
     * @param pings so many in a row have to stay without an answer
     */
    ApiClient keepAlive(Vertx vertx, Duration interval, int pings) {
        long timer = vertx.setPeriodic(interval.toMillis(), now -> keepAlive(interval, pings));
        return atClose(() -> vertx.cancelTimer(timer));
    }

    /** Runs once, when the client is closed; at once when it is already. */
    ApiClient atClose(Runnable last) {
        atClose.add(last);
        if (http.isClosed()) {
            runLast();
        }
        return this;
    }

    private void runLast() {
        for (Runnable last = atClose.poll(); last != null; last = atClose.poll()) {
            last.run();
        }
    }

    @SuppressWarnings("FutureReturnValueIgnored") // it never fails
    private void keepAlive(Duration interval, int pings) {
        ping(interval).thenAccept(worst -> {
            if (worst >= pings) {
                line.connections().closeUnanswered(pings);
            }
        });
    }

    /** Ends every request and watch. May be called more than once. */
    @Override
    public void close() {
        http.close();
        runLast();
        closed.accept(this);
    }
}
