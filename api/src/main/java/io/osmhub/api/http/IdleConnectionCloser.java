package io.osmhub.api.http;

import io.vertx.core.http.HttpConnection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections without complete requests, including ones that send single bytes. At the connection limit it closes the longest
 * idle. Confined to the server's event loop.
 */
final class IdleConnectionCloser {
    static final long SWEEP_MILLIS = 1_000;

    private final HttpLimits limits;
    private final LongSupplier nanoTime;
    private final Map<HttpConnection, ConnectionUse> uses = new LinkedHashMap<>();

    private static final class ConnectionUse {
        private int active;
        private boolean asked;
        private long idleSince;
    }

    IdleConnectionCloser(HttpLimits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    void onOpened(HttpConnection connection) {
        if (uses.size() >= limits.connections()) {
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
            long most = (use.asked ? limits.idle() : limits.firstRequest()).toNanos();
            if (use.active == 0 && now - use.idleSince > most) {
                each.getKey().close();
            }
        }
    }
}
