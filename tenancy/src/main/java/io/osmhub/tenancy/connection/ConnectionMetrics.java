package io.osmhub.tenancy.connection;

import java.time.Duration;

/** Must not block. */
public interface ConnectionMetrics {
    /** @param connected whether the attempt succeeded */
    default void onAttempted(boolean connected, Duration took) {}

    /** @param cause one of closed, ping, goaway, credentials */
    default void onReconnecting(String cause) {}
}
