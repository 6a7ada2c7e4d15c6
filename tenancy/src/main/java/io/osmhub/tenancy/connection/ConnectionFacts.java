package io.osmhub.tenancy.connection;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * What is known of a worker cluster once it has answered.
 *
 * @param endpoint URL of its API server
 * @param version as {@code v1.34.2}; empty when it may not be read
 * @param clusterId UID of namespace {@code kube-system}; empty when it may not be read
 * @param user as whom the hub is signed in
 * @param missing what the hub may not do, in the order of {@link RequiredPermissions}
 * @param scopedFetch whether it may do what tokens of single MachineDeployments take, which it does not need to
 * @param peer the peer's Lease when it is in use; null when it is not
 * @param clockAhead how far the server's clock is ahead of the hub's, negative when it is behind
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

    /** A Lease of the peer that was renewed less than a minute ago. */
    public record PeerLease(String lease, String holder) {}

    /** The same cluster after it was asked again who it is. */
    ConnectionFacts with(Link.Greeting greeting) {
        return new ConnectionFacts(
                endpoint, greeting.version(), clusterId, user, missing, scopedFetch, peer, greeting.clockAhead());
    }

    /** The same cluster after another look at permissions and peer. */
    ConnectionFacts with(Link.Review review) {
        return new ConnectionFacts(
                endpoint, version, clusterId, user, review.missing(), review.scopedFetch(), review.peer(), clockAhead);
    }
}
