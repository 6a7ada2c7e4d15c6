package io.osmhub.tenancy.client;

import io.vertx.core.Context;
import io.vertx.core.Future;
import io.vertx.core.Vertx;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.impl.HttpClientConnection;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** The open connections of one client: counts them, pings them, closes them. Safe for use by many threads. */
final class LiveConnections {
    private static final int PING_BYTES = 8;

    private final Vertx vertx;
    private final Context context;
    private final ConnectionObserver observer;
    // Each with its pings in a row that were not answered.
    private final Map<HttpConnection, AtomicInteger> live = new ConcurrentHashMap<>();

    /** @param context event loop of all these connections */
    LiveConnections(Vertx vertx, Context context, ConnectionObserver observer) {
        this.vertx = vertx;
        this.context = context;
        this.observer = observer;
    }

    /** To be called on the connection's event loop as soon as it is there, so that its end is not missed. */
    void opened(HttpConnection connection) {
        live.put(connection, new AtomicInteger());
        connection.closeHandler(closed -> {
            live.remove(connection);
            observer.closed(live.size());
        });
        try {
            connection.goAwayHandler(goAway -> observer.leaving());
        } catch (UnsupportedOperationException http1) {
            // HTTP/1.1 has no GOAWAY frame; its connections only close.
        }
        observer.opened();
    }

    int count() {
        return live.size();
    }

    /** What was agreed on one of them; empty when none is open, or none with TLS. */
    Optional<TlsSession> session() {
        return live.keySet().stream().filter(HttpConnection::isSsl).findFirst().map(TlsSession::of);
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
        // Vert.x 4.5.27 notes that it waits for an answer after it has sent the ping. From another thread the answer
        // may be there
        // before, and then each later answer is taken for the one before it.
        context.runOnContext(now -> send(connection, unanswered, within, result));
        return result;
    }

    private void send(
            HttpConnection connection, AtomicInteger unanswered, Duration within, CompletableFuture<Integer> result) {
        Future<Buffer> answer;
        try {
            answer = connection.ping(Buffer.buffer(new byte[PING_BYTES]));
        } catch (UnsupportedOperationException http1) {
            // HTTP/1.1 has no ping; the limit on silence watches over such a connection.
            result.complete(0);
            return;
        }
        if (connection instanceof HttpClientConnection open) {
            // Vert.x leaves a ping in the buffer until something else is sent, which on an idle connection is the next
            // ping.
            open.channelHandlerContext().flush();
        }
        long timer = vertx.setTimer(within.toMillis(), late -> {
            if (result.isDone() || !live.containsKey(connection)) {
                result.complete(0);
                return;
            }
            observer.pingUnanswered();
            result.complete(unanswered.incrementAndGet());
        });
        answer.onSuccess(pong -> {
            vertx.cancelTimer(timer);
            unanswered.set(0);
            result.complete(0);
        });
        // A failure means that the connection is closed, which its handler tells; the timer ends the wait.
    }

    /** Closes those that did not answer so many pings in a row. */
    void closeUnanswered(int pings) {
        live.forEach((connection, unanswered) -> {
            if (unanswered.get() >= pings) {
                connection.close();
            }
        });
    }

    void closeAll() {
        live.keySet().forEach(HttpConnection::close);
    }
}
