package io.osmhub.api.http;

import io.vertx.core.http.HttpConnection;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Closes connections that keep a place and ask nothing: also one that drips bytes, because only whole requests count. When there is
 * no place left, the one that was idle for longest goes. Lives on the server's event loop.
 */
final class ConnectionGuard {
    static final long SWEEP_MILLIS = 1_000;

    private final HttpLimits limits;
    private final LongSupplier nanoTime;
    private final Map<HttpConnection, Use> uses = new LinkedHashMap<>();

    private static final class Use {
        private int active;
        private boolean asked;
        private long idleSince;
    }

    ConnectionGuard(HttpLimits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    void opened(HttpConnection connection) {
        if (uses.size() >= limits.connections()) {
            HttpConnection longest = longestIdle();
            if (longest == null) {
                connection.close();
                return;
            }
            longest.close();
            uses.remove(longest);
        }
        Use use = new Use();
        use.idleSince = nanoTime.getAsLong();
        uses.put(connection, use);
        connection.closeHandler(closed -> uses.remove(connection));
    }

    private @Nullable HttpConnection longestIdle() {
        HttpConnection longest = null;
        long since = Long.MAX_VALUE;
        for (Map.Entry<HttpConnection, Use> each : uses.entrySet()) {
            Use use = each.getValue();
            if (use.active == 0 && use.idleSince < since) {
                longest = each.getKey();
                since = use.idleSince;
            }
        }
        return longest;
    }

    void began(HttpConnection connection) {
        Use use = uses.get(connection);
        if (use != null) {
            use.active++;
            use.asked = true;
        }
    }

    void ended(HttpConnection connection) {
        Use use = uses.get(connection);
        if (use != null) {
            use.active--;
            use.idleSince = nanoTime.getAsLong();
        }
    }

    /** Closes what has been idle for too long; to be called about every second. */
    void sweep() {
        long now = nanoTime.getAsLong();
        for (Map.Entry<HttpConnection, Use> each : Map.copyOf(uses).entrySet()) {
            Use use = each.getValue();
            long most = (use.asked ? limits.idle() : limits.firstRequest()).toNanos();
            if (use.active == 0 && now - use.idleSince > most) {
                each.getKey().close();
            }
        }
    }
}
