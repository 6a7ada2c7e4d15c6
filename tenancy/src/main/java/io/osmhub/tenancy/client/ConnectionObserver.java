package io.osmhub.tenancy.client;

/** Observes a client's connections. Called on event loops; must not block. */
public interface ConnectionObserver {
    /** Ignores everything. */
    ConnectionObserver NONE = new ConnectionObserver() {};

    /** Connected, and TLS is verified. */
    default void onOpened() {}

    /** The server announced closing a connection: no new requests, running ones continue. */
    default void onGoAway() {}

    /** A connection closed, by either side; {@code left} remain. */
    default void onClosed(int left) {}

    default void onPingTimeout() {}
}
