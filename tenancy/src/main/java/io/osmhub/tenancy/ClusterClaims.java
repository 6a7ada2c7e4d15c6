package io.osmhub.tenancy;

import io.osmhub.tenancy.registry.Standing;
import io.osmhub.tenancy.registry.TenantRules;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Which worker cluster each tenant was seen to have, before statuses say so. One worker cluster is served for one tenant, the one
 * that registered it first. Safe for use by many threads.
 */
final class ClusterClaims {
    private record Claim(WorkerClusterRecord record, String clusterId) {}

    private final Map<String, Claim> byUid = new HashMap<>();
    private final Supplier<Collection<WorkerClusterRecord>> stored;

    /** @param stored all WorkerClusters that are known, of other replicas too */
    ClusterClaims(Supplier<Collection<WorkerClusterRecord>> stored) {
        this.stored = stored;
    }

    /**
     * A tenant was seen to have a worker cluster.
     *
     * @return why it may not be served; null when it may
     */
    synchronized Standing.@Nullable Refused claim(WorkerClusterRecord record, String clusterId) {
        byUid.put(record.uid(), new Claim(record, clusterId));
        for (Claim other : byUid.values()) {
            if (other.clusterId().equals(clusterId)
                    && !clusterId.isEmpty()
                    && WorkerClusterRecord.OLDEST_FIRST.compare(other.record(), record) < 0) {
                return TenantRules.duplicate(record, clusterId, List.of(seen(other)));
            }
        }
        return TenantRules.duplicate(record, clusterId, stored.get());
    }

    /** Tenants that are younger and have the same worker cluster: they are to be looked at again. */
    synchronized List<WorkerClusterRecord> younger(WorkerClusterRecord record, String clusterId) {
        List<WorkerClusterRecord> younger = new ArrayList<>();
        for (Claim other : byUid.values()) {
            if (other.clusterId().equals(clusterId)
                    && WorkerClusterRecord.OLDEST_FIRST.compare(record, other.record()) < 0) {
                younger.add(other.record());
            }
        }
        return younger;
    }

    synchronized void release(WorkerClusterRecord record) {
        byUid.remove(record.uid());
    }

    /** The record with the worker cluster that was seen, which its status may not say yet. */
    private static WorkerClusterRecord seen(Claim claim) {
        return claim.record().withClusterId(claim.clusterId());
    }
}
