package io.osmhub.tenancy.connection;

import java.time.Duration;

/**
 * What may be set for one connection.
 *
 * @param requestTimeout longest time that a request may take
 * @param pingInterval time between two pings; after three unanswered ones the cluster counts as not responding
 * @param clusterId UID of kube-system that was seen before; empty when none was
 */
public record ConnectionOptions(Duration requestTimeout, Duration pingInterval, String clusterId) {
    public static final ConnectionOptions DEFAULT =
            new ConnectionOptions(Duration.ofSeconds(10), Duration.ofSeconds(10), "");

    public ConnectionOptions withClusterId(String id) {
        return new ConnectionOptions(requestTimeout, pingInterval, id);
    }
}
