package io.osmhub.tenancy.connection;

import java.time.Duration;

/**
 * Settings of one connection.
 *
 * @param pingInterval after 30 s of unanswered pings, at least three, the cluster counts as not responding
 * @param clusterId known UID of kube-system; empty if unknown
 */
public record ConnectionOptions(Duration requestTimeout, Duration pingInterval, String clusterId) {
    public static final ConnectionOptions DEFAULT =
            new ConnectionOptions(Duration.ofSeconds(10), Duration.ofSeconds(6), "");

    public ConnectionOptions withClusterId(String id) {
        return new ConnectionOptions(requestTimeout, pingInterval, id);
    }
}
