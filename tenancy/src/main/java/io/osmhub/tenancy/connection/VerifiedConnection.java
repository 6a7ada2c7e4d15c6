package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.connection.ConnectionFacts.PeerLease;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;

interface VerifiedConnection {
    KubeApi api();

    /** As of the connection's start. */
    ConnectionFacts facts();

    /** Completes with the highest number of consecutive unanswered pings. */
    CompletableFuture<Integer> ping(Duration within);

    /** Checks that the server is alive, reconnecting if necessary. Blocks. */
    ServerInfo probe() throws ConnectFailure;

    /** Whether there is an open socket. */
    boolean isConnected();

    /** Reviews OSM again, and permissions, at most every 30 s while OSM runs. Blocks. */
    AccessReview review() throws ApiFailure;

    void close();

    /**
     * Public information of a server.
     *
     * @param version empty if it may not be read
     * @param clockAhead the server's clock minus the hub's; null if unknown
     */
    record ServerInfo(String version, @Nullable Duration clockAhead) {}

    /** Facts that may change during a connection. */
    record AccessReview(
            List<Permission> missing,
            boolean scopedFetch,
            @Nullable PeerLease peer) {}
}
