package io.osmhub.tenancy.connection;

import io.osmhub.core.settings.TenantSettings;
import java.time.Duration;

/**
 * Timeouts of one connection.
 *
 * @param pingInterval after 30 s of unanswered pings, at least three, the cluster counts as not responding
 */
public record ConnectionOptions(Duration requestTimeout, Duration pingInterval) {
    private static final int MIN_UNANSWERED_PINGS = 3;
    /** A cluster counts as not responding no earlier than this. */
    private static final Duration MIN_SILENCE = Duration.ofSeconds(30);
    /** With the default interval, at most 9 s pass until a cluster without answers is reported as such. */
    private static final Duration LONGEST_PING = Duration.ofSeconds(3);

    public static ConnectionOptions of(TenantSettings.Connection settings) {
        return new ConnectionOptions(settings.requestTimeout(), settings.pingInterval());
    }

    /** Response timeout of a ping. */
    Duration pingTimeout() {
        return pingInterval.compareTo(LONGEST_PING) < 0 ? pingInterval : LONGEST_PING;
    }

    boolean isTooQuiet(int unansweredPings) {
        return unansweredPings >= MIN_UNANSWERED_PINGS
                && pingInterval.multipliedBy(unansweredPings).compareTo(MIN_SILENCE) >= 0;
    }
}
