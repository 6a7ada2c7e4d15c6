package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.MetadataScanner;
import java.time.Duration;

/**
 * Limits of a client.
 *
 * @param connections maximum HTTP/2 connections
 * @param fallbackConnections maximum connections to an HTTP/1.1-only server, where each watch occupies one
 * @param requestTimeout until the end of the response; for a watch until its first byte; for a list until the first byte and
 *     between bytes
 * @param readIdle closes a connection without data for this long; a fallback for pings, whose responses count
 * @param answerBytes largest response, except of a streamed list
 * @param lineBytes largest event of a watch, and largest item of a streamed list
 * @param lists maximum concurrent lists
 */
public record ClientLimits(
        int connections,
        int fallbackConnections,
        Duration requestTimeout,
        Duration readIdle,
        int answerBytes,
        int lineBytes,
        int lists) {
    private static final int MIB = 1024 * 1024;

    /** One connection to a worker cluster. */
    public static final ClientLimits WORKER = new ClientLimits(
            1, 16, Duration.ofSeconds(10), Duration.ofMinutes(2), 16 * MIB, MetadataScanner.MOST_BYTES, 2);

    /** The management cluster, with watches for every tenant and many concurrent requests. */
    public static final ClientLimits MANAGEMENT = new ClientLimits(
            64, 64, Duration.ofSeconds(15), Duration.ofMinutes(2), 64 * MIB, MetadataScanner.MOST_BYTES, 8);

    public ClientLimits withRequestTimeout(Duration other) {
        return new ClientLimits(connections, fallbackConnections, other, readIdle, answerBytes, lineBytes, lists);
    }

    public ClientLimits withReadIdle(Duration other) {
        return new ClientLimits(connections, fallbackConnections, requestTimeout, other, answerBytes, lineBytes, lists);
    }

    public ClientLimits withSizes(int otherAnswerBytes, int otherLineBytes) {
        return new ClientLimits(
                connections, fallbackConnections, requestTimeout, readIdle, otherAnswerBytes, otherLineBytes, lists);
    }
}
