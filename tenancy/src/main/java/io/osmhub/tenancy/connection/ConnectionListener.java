package io.osmhub.tenancy.connection;

import io.osmhub.workersync.apiserver.KubeApi;

/** Learns what becomes of a connection. Called one at a time and in order, on a virtual thread; what waits delays the connection. */
public interface ConnectionListener {
    /** Requests may be sent from now on. Comes before anything else, and again after each {@link #disconnected}. */
    void connected(KubeApi api, ConnectionFacts facts);

    /**
     * A new credential is proven: use this from now on. The old one works a little longer, so that what runs can end.
     */
    void rotated(KubeApi api, ConnectionFacts facts);

    /** Requests would be in vain: stop watches and writes. What is cached stays good to look at. */
    void disconnected();

    /** Something that people are told is different. */
    void stateChanged(ConnectionReport report);
}
