package io.osmhub.tenancy.registry;

import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.connection.ConnectionStatus;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tracks which worker cluster each tenant reached, before statuses contain it. Each worker cluster is served for one tenant: the
 * first one, according to the statuses, also after a restart and on another replica. Thread-safe.
 */
public final class ClusterClaims {
    /**
     * @param refused why it may not be served; null if it may
     * @param changed whether the outcome differs from before, so that other tenants must be reconciled
     */
    record ClaimOutcome(@Nullable Problem refused, boolean changed) {}

    /** @param granted whether it was served with that cluster */
    private record ClusterClaim(WorkerClusterRecord record, String clusterId, boolean granted) {}

    private final Map<String, ClusterClaim> byUid = new HashMap<>();
    private final Map<String, Map<String, ClusterClaim>> byCluster = new HashMap<>();
    private final Function<String, Collection<WorkerClusterRecord>> stored;
    private final Function<String, @Nullable String> owner;

    /**
     * @param stored WorkerClusters, also of other replicas, whose status contains a cluster id
     * @param owner namespace to which an operator assigned a cluster; returns null without an assignment
     */
    public ClusterClaims(
            Function<String, Collection<WorkerClusterRecord>> stored, Function<String, @Nullable String> owner) {
        this.stored = stored;
        this.owner = owner;
    }

    /**
     * Records that a tenant reached a worker cluster.
     *
     * @param clusterId not empty
     */
    synchronized ClaimOutcome claim(WorkerClusterRecord record, String clusterId) {
        ClusterClaim before = byUid.get(record.uid());
        boolean granted =
                before != null && before.granted() && before.clusterId().equals(clusterId);
        put(new ClusterClaim(record, clusterId, granted));
        Problem refused = standing(record, clusterId);
        put(new ClusterClaim(record, clusterId, refused == null));
        return new ClaimOutcome(refused, granted != (refused == null));
    }

    /** The outcome of a claim, without recording it. */
    synchronized @Nullable Problem standing(WorkerClusterRecord record, String clusterId) {
        List<WorkerClusterRecord> claimants = byCluster.getOrDefault(clusterId, Map.of()).values().stream()
                .filter(claim -> !claim.granted())
                .map(ClusterClaim::record)
                .toList();
        return TenantEligibility.duplicate(record, clusterId, owner.apply(clusterId), holders(clusterId), claimants);
    }

    /** WorkerClusters that are or were served with a worker cluster, also those of other replicas. */
    public synchronized Collection<WorkerClusterRecord> holders(String clusterId) {
        Map<String, WorkerClusterRecord> holders = new HashMap<>();
        stored.apply(clusterId).forEach(other -> holders.put(other.uid(), other));
        for (ClusterClaim claim : byCluster.getOrDefault(clusterId, Map.of()).values()) {
            if (claim.granted()) {
                holders.put(claim.record().uid(), claim.record());
            }
        }
        return holders.values();
    }

    /** Other tenants with the same worker cluster, affected by changes to this one. */
    public synchronized List<WorkerClusterRecord> rivals(String uid, String clusterId) {
        return byCluster.getOrDefault(clusterId, Map.of()).values().stream()
                .map(ClusterClaim::record)
                .filter(other -> !other.uid().equals(uid))
                .toList();
    }

    private void put(ClusterClaim claim) {
        release(claim.record());
        byUid.put(claim.record().uid(), claim);
        byCluster
                .computeIfAbsent(claim.clusterId(), added -> new HashMap<>())
                .put(claim.record().uid(), claim);
    }

    public synchronized void release(WorkerClusterRecord record) {
        ClusterClaim before = byUid.remove(record.uid());
        if (before != null) {
            byCluster.computeIfPresent(before.clusterId(), (id, rivals) -> {
                rivals.remove(record.uid());
                return rivals.isEmpty() ? null : rivals;
            });
        }
    }

    /**
     * Whether the cluster behind a tenant's kubeconfig may be served for that tenant.
     *
     * @param obstacle why nothing is written to it; null if it may be served
     * @param other reports that the cluster's identity changed; null if it did not
     */
    public record ClusterIdentity(
            @Nullable Problem obstacle, @Nullable Problem other) {
        public static final ClusterIdentity UNKNOWN = new ClusterIdentity(null, null);

        /** @param reconcileNamespace receives the namespaces of tenants that may be affected */
        public static ClusterIdentity of(
                WorkerClusterRecord record,
                ConnectionStatus status,
                ClusterClaims claims,
                Consumer<String> reconcileNamespace) {
            Problem other = other(record, status);
            Problem refused = status.facts().clusterId().isEmpty()
                    ? null
                    // An unaccepted cluster is not claimed: that would block it for others without using it.
                    : other != null
                            ? claims.standing(record, status.facts().clusterId())
                            : claim(record, status.facts().clusterId(), claims, reconcileNamespace);
            return new ClusterIdentity(refused == null ? peer(record, status) : refused, other);
        }

        public boolean isServed() {
            return obstacle == null && other == null;
        }

        public boolean isDuplicate() {
            return obstacle != null && obstacle.reason() == Reason.WorkerClusterDuplicate;
        }

        /** Warns a tenant whose cluster another tenant's API server claims to be. */
        public static Problem contested(WorkerClusterRecord holder, String clusterId) {
            return Reason.WorkerClusterContested.with(holder.variables(), "id", clusterId);
        }

        private static @Nullable Problem claim(
                WorkerClusterRecord record,
                String clusterId,
                ClusterClaims claims,
                Consumer<String> reconcileNamespace) {
            ClusterClaims.ClaimOutcome outcome = claims.claim(record, clusterId);
            if (outcome.changed()) {
                claims.rivals(record.uid(), clusterId).forEach(rival -> reconcileNamespace.accept(rival.namespace()));
            }
            return outcome.refused();
        }

        private static @Nullable Problem peer(WorkerClusterRecord record, ConnectionStatus status) {
            // OSM is running and would revert the hub's writes, so the hub writes nothing. For the Lease that the hub
            // takes, the Lease itself decides.
            String lease = record.annotation(WorkerClusterRecord.ADOPTED_LEASE);
            return status.warnings().stream()
                    .filter(problem -> problem.reason() == Reason.PeerControllerActive)
                    .filter(problem -> lease.isEmpty() || !lease.equals(status.peerLease()))
                    .findFirst()
                    .orElse(null);
        }

        /** No operator has accepted the other cluster. */
        private static @Nullable Problem other(WorkerClusterRecord record, ConnectionStatus status) {
            String before = record.clusterId();
            boolean same = before.isEmpty()
                    || status.facts().clusterId().isEmpty()
                    || before.equals(status.facts().clusterId());
            if (same
                    || record.annotation(WorkerClusterRecord.ACCEPT_CLUSTER_ID)
                            .equals(status.facts().clusterId())) {
                return null;
            }
            return Reason.ClusterIdentityChanged.with(
                    record.variables(),
                    "endpoint",
                    status.facts().endpoint(),
                    "id",
                    before,
                    "id2",
                    status.facts().clusterId());
        }
    }
}
