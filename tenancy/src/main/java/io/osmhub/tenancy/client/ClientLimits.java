package io.osmhub.tenancy.client;

import java.time.Duration;

/**
 * What a client may use.
 *
 * @param connections most HTTP/2 connections
 * @param fallbackConnections most connections to a server that speaks HTTP/1.1 only, where each watch takes one
 * @param connectTimeout for the connection, and again for the TLS handshake
 * @param requestTimeout from the call to the last byte of the answer; for a watch to its first; for a list to its first, and
 *     between any two
 * @param readIdle a connection on which nothing came for this time is closed; backstop behind the pings, whose answers count
 * @param answerBytes largest answer, except of a list that is passed on item by item
 * @param lineBytes largest event of a watch, and largest item of such a list
 * @param lists most lists that are received at a time
 */
public record ClientLimits(
        int connections,
        int fallbackConnections,
        Duration connectTimeout,
        Duration requestTimeout,
        Duration readIdle,
        int answerBytes,
        int lineBytes,
        int lists) {
    private static final int MIB = 1024 * 1024;

    /** One connection for a worker cluster. */
    public static final ClientLimits WORKER = new ClientLimits(
            1, 16, Duration.ofSeconds(5), Duration.ofSeconds(10), Duration.ofMinutes(2), 16 * MIB, 4 * MIB, 2);

    /** The management cluster, with watches for every tenant and many answers at once. */
    public static final ClientLimits MANAGEMENT = new ClientLimits(
            32, 64, Duration.ofSeconds(5), Duration.ofSeconds(15), Duration.ofMinutes(2), 64 * MIB, 4 * MIB, 8);

    public ClientLimits withRequestTimeout(Duration other) {
        return new ClientLimits(
                connections, fallbackConnections, connectTimeout, other, readIdle, answerBytes, lineBytes, lists);
    }

    public ClientLimits withReadIdle(Duration other) {
        return new ClientLimits(
                connections, fallbackConnections, connectTimeout, requestTimeout, other, answerBytes, lineBytes, lists);
    }

    public ClientLimits withSizes(int otherAnswerBytes, int otherLineBytes) {
        return new ClientLimits(
                connections,
                fallbackConnections,
                connectTimeout,
                requestTimeout,
                readIdle,
                otherAnswerBytes,
                otherLineBytes,
                lists);
    }
}
