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
 * Which worker cluster each tenant was seen to have, before statuses say so. One worker cluster is served for one tenant, the one
 * that registered it first. Safe for use by many threads.
 */
final class ClusterClaims {
    private record Claim(WorkerClusterRecord record, String clusterId) {}

    private final Map<String, Claim> byUid = new HashMap<>();
    private final Map<String, Map<String, Claim>> byCluster = new HashMap<>();
    private final Function<String, Collection<WorkerClusterRecord>> stored;

    /** @param stored the WorkerClusters, of other replicas too, whose status names a worker cluster by its id */
    ClusterClaims(Function<String, Collection<WorkerClusterRecord>> stored) {
        this.stored = stored;
    }

    /**
     * A tenant was seen to have a worker cluster.
     *
     * @param clusterId not empty
     * @return why it may not be served; null when it may
     */
    synchronized Standing.@Nullable Refused claim(WorkerClusterRecord record, String clusterId) {
        release(record);
        Claim claim = new Claim(record, clusterId);
        byUid.put(record.uid(), claim);
        Map<String, Claim> rivals = byCluster.computeIfAbsent(clusterId, added -> new HashMap<>());
        rivals.put(record.uid(), claim);
        for (Claim other : rivals.values()) {
            if (WorkerClusterRecord.OLDEST_FIRST.compare(other.record(), record) < 0) {
                return TenantRules.duplicate(record, clusterId, List.of(seen(other)));
            }
        }
        return TenantRules.duplicate(record, clusterId, stored.apply(clusterId));
    }

    /** Tenants that are younger and have the same worker cluster: they are to be looked at again. */
    synchronized List<WorkerClusterRecord> younger(WorkerClusterRecord record, String clusterId) {
        return byCluster.getOrDefault(clusterId, Map.of()).values().stream()
                .map(Claim::record)
                .filter(other -> WorkerClusterRecord.OLDEST_FIRST.compare(record, other) < 0)
                .toList();
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

    /** The record with the worker cluster that was seen, which its status may not say yet. */
    private static WorkerClusterRecord seen(Claim claim) {
        return claim.record().withClusterId(claim.clusterId());
    }
}
