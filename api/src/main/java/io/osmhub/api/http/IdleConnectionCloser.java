package io.osmhub.api.http;

import io.vertx.core.Handler;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpConnection;
import io.vertx.core.http.HttpServer;
import io.vertx.core.http.HttpServerRequest;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections without complete requests, including ones that send single bytes. At the connection limit it closes the longest
 * idle. Confined to the server's event loop.
 */
public final class IdleConnectionCloser {
    static final long SWEEP_MILLIS = 1_000;

    private final int connections;
    private final Duration firstRequest;
    private final Duration idle;
    private final LongSupplier nanoTime;
    private final Map<HttpConnection, ConnectionUse> uses = new LinkedHashMap<>();

    private static final class ConnectionUse {
        private int active;
        private boolean asked;
        private long idleSince;
    }

    /**
     * @param connections most at a time
     * @param firstRequest longest time until the first request of a connection
     * @param idle longest time without a request thereafter
     */
    IdleConnectionCloser(int connections, Duration firstRequest, Duration idle, LongSupplier nanoTime) {
        this.connections = connections;
        this.firstRequest = firstRequest;
        this.idle = idle;
        this.nanoTime = nanoTime;
    }

    /** Sets the request handler of a server, and limits its connections. Call it where {@code listen} is called. */
    public static HttpServer limit(
            Vertx vertx,
            HttpServer server,
            int connections,
            Duration firstRequest,
            Duration idle,
            Handler<HttpServerRequest> handler) {
        IdleConnectionCloser closer = new IdleConnectionCloser(connections, firstRequest, idle, System::nanoTime);
        vertx.setPeriodic(SWEEP_MILLIS, now -> closer.closeIdle());
        return server.connectionHandler(closer::onOpened).requestHandler(request -> {
            closer.onRequestStarted(request.connection());
            boolean[] ended = {false};
            Handler<Void> end = done -> {
                if (!ended[0]) {
                    ended[0] = true;
                    closer.onRequestEnded(request.connection());
                }
            };
            // A stream that the client resets has no end.
            request.response().endHandler(end).closeHandler(end);
            handler.handle(request);
        });
    }

    void onOpened(HttpConnection connection) {
        if (uses.size() >= connections) {
            HttpConnection longest = longestIdle();
            if (longest == null) {
                connection.close();
                return;
            }
            longest.close();
            uses.remove(longest);
        }
        ConnectionUse use = new ConnectionUse();
        use.idleSince = nanoTime.getAsLong();
        uses.put(connection, use);
        connection.closeHandler(closed -> uses.remove(connection));
    }

    private @Nullable HttpConnection longestIdle() {
        HttpConnection longest = null;
        long since = Long.MAX_VALUE;
        for (Map.Entry<HttpConnection, ConnectionUse> each : uses.entrySet()) {
            ConnectionUse use = each.getValue();
            if (use.active == 0 && use.idleSince < since) {
                longest = each.getKey();
                since = use.idleSince;
            }
        }
        return longest;
    }

    void onRequestStarted(HttpConnection connection) {
        ConnectionUse use = uses.get(connection);
        if (use != null) {
            use.active++;
            use.asked = true;
        }
    }

    void onRequestEnded(HttpConnection connection) {
        ConnectionUse use = uses.get(connection);
        if (use != null) {
            use.active--;
            use.idleSince = nanoTime.getAsLong();
        }
    }

    /** Closes connections past their idle timeout; call about every second. */
    void closeIdle() {
        long now = nanoTime.getAsLong();
        for (Map.Entry<HttpConnection, ConnectionUse> each : Map.copyOf(uses).entrySet()) {
            ConnectionUse use = each.getValue();
            long most = (use.asked ? idle : firstRequest).toNanos();
            if (use.active == 0 && now - use.idleSince > most) {
                each.getKey().close();
            }
        }
    }
}
