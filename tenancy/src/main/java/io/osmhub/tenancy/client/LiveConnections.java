package io.osmhub.tenancy.client;

import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The open connections of one client: counts them, pings them, closes them. Safe for use by many threads. */
final class LiveConnections {
    private static final int PING_BYTES = 8;

    private final Vertx vertx;
    private final ConnectionObserver observer;
    // Each with its pings in a row that were not answered.
    private final Map<HttpConnection, AtomicInteger> live = new ConcurrentHashMap<>();

    LiveConnections(Vertx vertx, ConnectionObserver observer) {
        this.vertx = vertx;
        this.observer = observer;
    }

    /** To be called on the connection's event loop as soon as it is there, so that its end is not missed. */
    void opened(HttpConnection connection) {
        live.put(connection, new AtomicInteger());
        connection.goAwayHandler(goAway -> observer.leaving());
        connection.closeHandler(closed -> {
            live.remove(connection);
            observer.closed(live.size());
        });
        observer.opened();
    }

    int count() {
        return live.size();
    }

    /** Pings all; completes when each has answered or the time is over, with the most unanswered pings in a row of one. */
    CompletableFuture<Integer> ping(Duration within) {
        CompletableFuture<Integer> worst = CompletableFuture.completedFuture(0);
        for (Map.Entry<HttpConnection, AtomicInteger> entry : live.entrySet()) {
            worst = worst.thenCombine(ping(entry.getKey(), entry.getValue(), within), Math::max);
        }
        return worst;
    }

    private CompletableFuture<Integer> ping(HttpConnection connection, AtomicInteger unanswered, Duration within) {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        Future<Buffer> answer;
        try {
            answer = connection.ping(Buffer.buffer(new byte[PING_BYTES]));
        } catch (UnsupportedOperationException http1) {
            // HTTP/1.1 has no ping; the limit on silence watches over such a connection.
            result.complete(0);
            return result;
        }
        long timer = vertx.setTimer(within.toMillis(), late -> {
            if (result.complete(live.containsKey(connection) ? unanswered.incrementAndGet() : 0)) {
                observer.pingUnanswered();
            }
        });
        answer.onSuccess(pong -> {
            vertx.cancelTimer(timer);
            unanswered.set(0);
            result.complete(0);
        });
        // A failure means that the connection is closed, which its handler tells; the timer ends the wait.
        return result;
    }

    void closeAll() {
        live.keySet().forEach(HttpConnection::close);
    }
}
