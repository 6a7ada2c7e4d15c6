package io.osmhub.tenancy.connection;

import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Facts about a connected worker cluster.
 *
 * @param endpoint URL of its API server
 * @param version as {@code v1.34.2}; empty if it may not be read
 * @param clusterId UID of namespace {@code kube-system}; empty if it may not be read
 * @param user the hub's user name
 * @param missing missing permissions, in the order of {@link RequiredPermissions}
 * @param scopedFetch whether it has the optional permissions for tokens of single MachineDeployments
 * @param peer OSM's Lease if in use; else null
 * @param clockAhead the server's clock minus the hub's
 */
public record ConnectionFacts(
        String endpoint,
        String version,
        String clusterId,
        String user,
        List<Permission> missing,
        boolean scopedFetch,
        @Nullable PeerLease peer,
        Duration clockAhead) {
    public ConnectionFacts {
        missing = List.copyOf(missing);
    }

    /** Before the first connection. */
    static ConnectionFacts unknown(String endpoint, String clusterId) {
        return new ConnectionFacts(endpoint, "", clusterId, "", List.of(), false, null, Duration.ZERO);
    }

    /** A Lease of OSM that was renewed less than a minute ago. */
    public record PeerLease(String lease, String holder) {}

    ConnectionFacts of(String otherClusterId, String otherUser) {
        return new ConnectionFacts(
                endpoint, version, otherClusterId, otherUser, missing, scopedFetch, peer, clockAhead);
    }

    /** With new server information. */
    ConnectionFacts with(VerifiedConnection.ServerInfo greeting) {
        return new ConnectionFacts(
                endpoint,
                greeting.version(),
                clusterId,
                user,
                missing,
                scopedFetch,
                peer,
                Objects.requireNonNullElse(greeting.clockAhead(), Duration.ZERO));
    }

    /** With a new review of permissions and OSM. */
    ConnectionFacts with(VerifiedConnection.AccessReview review) {
        return new ConnectionFacts(
                endpoint, version, clusterId, user, review.missing(), review.scopedFetch(), review.peer(), clockAhead);
    }
}
