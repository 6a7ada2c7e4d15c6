package io.osmhub.tenancy;

import io.osmhub.tenancy.registry.Standing;
import io.osmhub.tenancy.registry.TenantRules;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Which worker cluster each tenant was seen to have, before statuses say so. One worker cluster is served for one tenant: the one that
 * had it first, which is told by the statuses, also after a restart and on another replica. Safe for use by many threads.
 */
final class ClusterClaims {
    /**
     * What came of a claim.
     *
     * @param refused why it may not be served; null when it may
     * @param changed something else came of it before, so that others are to be looked at again
     */
    record Outcome(Standing.@Nullable Refused refused, boolean changed) {}

    /** @param granted it was served with that cluster */
    private record Claim(WorkerClusterRecord record, String clusterId, boolean granted) {}

    private final Map<String, Claim> byUid = new HashMap<>();
    private final Map<String, Map<String, Claim>> byCluster = new HashMap<>();
    private final Function<String, Collection<WorkerClusterRecord>> stored;
    private final Function<String, @Nullable String> owner;

    /**
     * @param stored the WorkerClusters, of other replicas too, whose status names a worker cluster by its id
     * @param owner namespace whose an operator decided a worker cluster to be; gives null without a decision
     */
    ClusterClaims(Function<String, Collection<WorkerClusterRecord>> stored, Function<String, @Nullable String> owner) {
        this.stored = stored;
        this.owner = owner;
    }

    /**
     * A tenant was seen to have a worker cluster.
     *
     * @param clusterId not empty
     */
    synchronized Outcome claim(WorkerClusterRecord record, String clusterId) {
        Claim before = byUid.get(record.uid());
        boolean granted =
                before != null && before.granted() && before.clusterId().equals(clusterId);
        put(new Claim(record, clusterId, granted));
        Standing.Refused refused = standing(record, clusterId);
        put(new Claim(record, clusterId, refused == null));
        return new Outcome(refused, granted != (refused == null));
    }

    /** What would come of a claim. */
    synchronized Standing.@Nullable Refused standing(WorkerClusterRecord record, String clusterId) {
        List<WorkerClusterRecord> claimants = byCluster.getOrDefault(clusterId, Map.of()).values().stream()
                .filter(claim -> !claim.granted())
                .map(Claim::record)
                .toList();
        return TenantRules.duplicate(record, clusterId, owner.apply(clusterId), holders(clusterId), claimants);
    }

    /** WorkerClusters that are served with a worker cluster, or whose status says that they were, of other replicas too. */
    synchronized Collection<WorkerClusterRecord> holders(String clusterId) {
        Map<String, WorkerClusterRecord> holders = new HashMap<>();
        stored.apply(clusterId).forEach(other -> holders.put(other.uid(), other));
        for (Claim claim : byCluster.getOrDefault(clusterId, Map.of()).values()) {
            if (claim.granted()) {
                holders.put(claim.record().uid(), claim.record());
            }
        }
        return holders.values();
    }

    /** Tenants that have the same worker cluster, or say so: what becomes of the one concerns the others. */
    synchronized List<WorkerClusterRecord> rivals(String uid, String clusterId) {
        return byCluster.getOrDefault(clusterId, Map.of()).values().stream()
                .map(Claim::record)
                .filter(other -> !other.uid().equals(uid))
                .toList();
    }

    private void put(Claim claim) {
        release(claim.record());
        byUid.put(claim.record().uid(), claim);
        byCluster
                .computeIfAbsent(claim.clusterId(), added -> new HashMap<>())
                .put(claim.record().uid(), claim);
    }

    synchronized void release(WorkerClusterRecord record) {
        Claim before = byUid.remove(record.uid());
        if (before != null) {
            byCluster.computeIfPresent(before.clusterId(), (id, rivals) -> {
                rivals.remove(record.uid());
                return rivals.isEmpty() ? null : rivals;
            });
        }
    }
}
