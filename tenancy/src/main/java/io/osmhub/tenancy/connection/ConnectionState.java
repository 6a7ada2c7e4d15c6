package io.osmhub.tenancy.connection;

import java.time.Instant;

/**
 * State of a connection.
 *
 * <pre>
 * Idle -> Connecting -> Connected <-> Degraded
 *              |  ^         |
 *              v  |         v
 *   Unreachable, Unauthorized, IdentityChanged          any -> Closed
 * </pre>
 */
public sealed interface ConnectionState {
    /** Start of this state. */
    Instant since();

    /** No kubeconfig yet. */
    record Idle(Instant since) implements ConnectionState {}

    /** No attempt has ended, or too few have failed to count as unreachable. */
    record Connecting(Instant since, String endpoint) implements ConnectionState {}

    /** Requests succeed. */
    record Connected(Instant since, ConnectionFacts facts) implements ConnectionState {}

    /** Too many requests fail because the server is overloaded or broken. */
    record Degraded(Instant since, ConnectionFacts facts) implements ConnectionState {}

    /** No verified connection. */
    record Unreachable(Instant since, String endpoint, Instant nextTry) implements ConnectionState {}

    /** The credential is rejected, or forbidden for that address. A new Secret is tried at once, this one at {@code nextTry}. */
    record Unauthorized(Instant since, String endpoint, Instant nextTry) implements ConnectionState {}

    /** The cluster's identity changed; nothing is read or written there. */
    record IdentityChanged(Instant since, String endpoint, String knownId, String foundId, Instant nextTry)
            implements ConnectionState {}

    /** Final. */
    record Closed(Instant since) implements ConnectionState {}

    /** Whether requests can be sent. */
    default boolean isUsable() {
        return switch (this) {
            case Connected _, Degraded _ -> true;
            case Idle _, Connecting _, Unreachable _, Unauthorized _, IdentityChanged _, Closed _ -> false;
        };
    }
}
