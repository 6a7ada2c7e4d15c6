package io.osmhub.tenancy.client;

/** Learns what becomes of a client's connections. Called on event loops; must not block. */
public interface ConnectionObserver {
    /** Nobody looks. */
    ConnectionObserver NONE = new ConnectionObserver() {};

    /** A connection is made and TLS is verified. */
    default void opened() {}

    /** The server asked to leave a connection: it takes no new requests, running ones go on. */
    default void leaving() {}

    /** A connection ended, whoever ended it; so many are left. */
    default void closed(int left) {}

    /** A ping was not answered in time. */
    default void pingUnanswered() {}
}
