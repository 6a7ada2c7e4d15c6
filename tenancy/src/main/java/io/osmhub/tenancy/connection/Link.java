package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.connection.ConnectionFacts.PeerLease;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

/** A connection that has proven itself. */
interface Link {
    KubeApi api();

    /** As they were when it was made. */
    ConnectionFacts facts();

    /** Completes with the most pings in a row that were not answered. */
    CompletableFuture<Integer> ping(Duration within);

    /** Asks for a sign of life, over a new connection if need be. Waits. */
    void probe() throws ConnectFailure;

    /** Looks again at what may change. Waits. */
    Review review() throws ApiFailure;

    /** Closes the sockets; the next request makes a new one. */
    void dropConnections();

    void close();

    /** What may change while a connection lasts. */
    record Review(List<Permission> missing, @Nullable PeerLease peer) {}
}
