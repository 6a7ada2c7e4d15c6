package io.osmhub.tenancy.connection;

import io.osmhub.workersync.apiserver.KubeApi;

/** Observes a connection. Calls are serialized, in order, on a virtual thread; blocking delays the connection. */
public interface ConnectionListener {
    /** Requests may be sent from now on. Called before all others, and again after each {@link #onDisconnected}. */
    void onConnected(KubeApi api, ConnectionFacts facts);

    /**
     * A new credential was verified: use this API from now on. The old one works a little longer, so that running requests can
     * finish.
     */
    void onRotated(KubeApi api, ConnectionFacts facts);

    /** Requests would fail: stop watches and writes. Caches remain readable. */
    void onDisconnected();

    /** The report changed. */
    void onStateChanged(ConnectionReport report);
}
