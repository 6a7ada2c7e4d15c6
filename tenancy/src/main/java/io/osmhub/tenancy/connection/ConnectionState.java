package io.osmhub.tenancy.connection;

import java.time.Instant;

/**
 * Where a connection stands.
 *
 * <pre>
 * Idle -> Connecting -> Connected <-> Degraded
 *              |  ^         |
 *              v  |         v
 *   Unreachable, Unauthorized, IdentityChanged          any -> Closed
 * </pre>
 */
public sealed interface ConnectionState {
    /** When this state began. */
    Instant since();

    /** No kubeconfig has come yet. */
    record Idle(Instant since) implements ConnectionState {}

    /** No attempt has ended, or too few have failed to say that it is unreachable. */
    record Connecting(Instant since, String endpoint) implements ConnectionState {}

    /** Requests get answers. */
    record Connected(Instant since, ConnectionFacts facts) implements ConnectionState {}

    /** Requests get answers, too many of which say that the server is overloaded or broken. */
    record Degraded(Instant since, ConnectionFacts facts) implements ConnectionState {}

    /** No connection that can be trusted. */
    record Unreachable(Instant since, String endpoint, Instant nextTry) implements ConnectionState {}

    /** The credential is refused, or may not be used with that address. A new Secret is tried at once, this one at {@code nextTry}. */
    record Unauthorized(Instant since, String endpoint, Instant nextTry) implements ConnectionState {}

    /** Another cluster answers than before; nothing is read or written there. */
    record IdentityChanged(Instant since, String endpoint, String knownId, String foundId, Instant nextTry)
            implements ConnectionState {}

    /** Over. */
    record Closed(Instant since) implements ConnectionState {}

    /** Requests can be sent. */
    default boolean isUsable() {
        return switch (this) {
            case Connected _, Degraded _ -> true;
            case Idle _, Connecting _, Unreachable _, Unauthorized _, IdentityChanged _, Closed _ -> false;
        };
    }
}
