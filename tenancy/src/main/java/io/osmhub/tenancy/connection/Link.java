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
    Greeting probe() throws ConnectFailure;

    /** There is an open socket. */
    boolean isConnected();

    /** Looks again at what may change. Waits. */
    Review review() throws ApiFailure;

    void close();

    /** What a server says of itself to anybody. */
    record Greeting(String version, Duration clockAhead) {}

    /** What may change while a connection lasts. */
    record Review(
            List<Permission> missing,
            boolean scopedFetch,
            @Nullable PeerLease peer) {}
}
