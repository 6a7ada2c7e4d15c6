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

/** The open connections of one client: counts, pings and closes them. Thread-safe. */
final class OpenConnections {
    private static final int PING_BYTES = 8;

    private final Vertx vertx;
    private final Context context;
    private final ConnectionObserver observer;
    // With the number of consecutive unanswered pings.
    private final Map<HttpConnection, AtomicInteger> live = new ConcurrentHashMap<>();

    /** @param context event loop of all these connections */
    OpenConnections(Vertx vertx, Context context, ConnectionObserver observer) {
        this.vertx = vertx;
        this.context = context;
        this.observer = observer;
    }

    /** Call it on the connection's event loop as soon as it is open, so that its closing is not missed. */
    void add(HttpConnection connection) {
        live.put(connection, new AtomicInteger());
        connection.closeHandler(closed -> {
            live.remove(connection);
            observer.onClosed(live.size());
        });
        try {
            connection.goAwayHandler(goAway -> observer.onGoAway());
        } catch (UnsupportedOperationException http1) {
            // HTTP/1.1 has no GOAWAY frame; its connections only close.
        }
        observer.onOpened();
    }

    int count() {
        return live.size();
    }

    /** TLS session of one of them; empty if none is open, or none with TLS. */
    Optional<TlsSession> session() {
        return live.keySet().stream().filter(HttpConnection::isSsl).findFirst().map(TlsSession::of);
    }

    /** Pings all; completes when each has responded or on timeout, with the highest number of consecutive unanswered pings. */
    CompletableFuture<Integer> ping(Duration within) {
        CompletableFuture<Integer> worst = CompletableFuture.completedFuture(0);
        for (Map.Entry<HttpConnection, AtomicInteger> entry : live.entrySet()) {
            worst = worst.thenCombine(ping(entry.getKey(), entry.getValue(), within), Math::max);
        }
        return worst;
    }

    private CompletableFuture<Integer> ping(HttpConnection connection, AtomicInteger unanswered, Duration within) {
        CompletableFuture<Integer> result = new CompletableFuture<>();
        // Vert.x 4.5.27 registers the pending response after it has sent the ping. From another thread the response may
        // come
        // first, and each later one is then matched to the previous ping.
        context.runOnContext(now -> send(connection, unanswered, within, result));
        return result;
    }

    private void send(
            HttpConnection connection, AtomicInteger unanswered, Duration within, CompletableFuture<Integer> result) {
        Future<Buffer> answer;
        try {
            answer = connection.ping(Buffer.buffer(new byte[PING_BYTES]));
        } catch (UnsupportedOperationException http1) {
            // HTTP/1.1 has no ping; the read timeout covers such a connection.
            result.complete(0);
            return;
        }
        if (connection instanceof HttpClientConnection open) {
            // Vert.x leaves a ping in the buffer until the next write, which on an idle connection is the next ping.
            open.channelHandlerContext().flush();
        }
        long timer = vertx.setTimer(within.toMillis(), late -> {
            if (result.isDone() || !live.containsKey(connection)) {
                result.complete(0);
                return;
            }
            observer.onPingTimeout();
            result.complete(unanswered.incrementAndGet());
        });
        answer.onSuccess(pong -> {
            vertx.cancelTimer(timer);
            unanswered.set(0);
            result.complete(0);
        });
        // A failure means that the connection is closed, which its handler reports; the timer ends the wait.
    }

    /** Closes connections with this many consecutive unanswered pings. */
    void closeUnanswered(int pings) {
        live.forEach((connection, unanswered) -> {
            if (unanswered.get() >= pings) {
                connection.close();
            }
        });
    }
}
