package io.osmhub.api.inventory;

import io.osmhub.core.plan.Decision;
import io.osmhub.tenancy.TenantDirectory.TenantView;
import io.osmhub.workersync.reconcile.MachineDeploymentState;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment.Replicas;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** Live details of this replica's tenants that are not stored. Read at most once a second for each tenant. */
final class LocalTenantCache {
    private static final long FRESH_NANOS = 1_000_000_000L;

    private final LocalReplica replica;
    private final Map<String, CachedTenant> known = new ConcurrentHashMap<>();

    /** A recent snapshot of a tenant; {@code view} is null if another replica serves it. */
    private record CachedTenant(
            @Nullable TenantView view,
            Map<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentState> states,
            long at) {}

    LocalTenantCache(LocalReplica replica) {
        this.replica = replica;
    }

    /** Null if another replica serves it. */
    @Nullable TenantView tenant(String namespace, String workerCluster) {
        return known(namespace, workerCluster).view();
    }

    /** Null if another replica serves it, or if it was not read yet. */
    @Nullable MachineDeploymentState deployment(MachineDeploymentRow row) {
        return known(row.place().namespace(), row.place().workerCluster())
                .states()
                .get(row.key());
    }

    /** Null if another replica serves it, or if they are unknown. */
    @Nullable Replicas replicas(MachineDeploymentRow row) {
        TenantView view = tenant(row.place().namespace(), row.place().workerCluster());
        return view == null || view.sync() == null
                ? null
                : view.sync().replicas().get(new ObjectKey(row.machineNamespace(), row.name()));
    }

    /** All MachineDeployments of a tenant of this replica; empty for others. */
    Map<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentState> deployments(
            String namespace, String workerCluster) {
        return known(namespace, workerCluster).states();
    }

    @Nullable Instant tokenEnd(MachineDeploymentRow row) {
        MachineDeploymentState state = deployment(row);
        Decision.TokenInUse token = state == null ? null : state.token();
        return token == null ? null : token.expiration();
    }

    /** As a sortable number; null if unknown. */
    @Nullable Long kubeletVersion(MachineDeploymentRow row) {
        MachineDeploymentState state = deployment(row);
        return state == null ? null : StatusParser.version(state.kubeletVersion());
    }

    @Nullable Instant firstTokenEnd(TenantRow row) {
        TenantView view = tenant(row.namespace(), row.name());
        return view == null || view.sync() == null ? null : view.sync().firstTokenEnd();
    }

    private CachedTenant known(String namespace, String workerCluster) {
        String key = namespace + "/" + workerCluster;
        CachedTenant before = known.get(key);
        long now = replica.nanoTime();
        if (before != null && now - before.at() < FRESH_NANOS) {
            return before;
        }
        TenantView view = replica.tenants().tenant(namespace, workerCluster).orElse(null);
        Map<MachineDeploymentRow.MachineDeploymentKey, MachineDeploymentState> states = new HashMap<>();
        if (view != null && view.sync() != null) {
            for (MachineDeploymentState state : view.sync().machineDeployments()) {
                states.put(
                        new MachineDeploymentRow.MachineDeploymentKey(
                                namespace, state.key().namespace(), state.key().name()),
                        state);
            }
        }
        CachedTenant after = new CachedTenant(view, states, now);
        known.put(key, after);
        return after;
    }

    /** Removes a deleted tenant. */
    void invalidate(String namespace, String workerCluster) {
        known.remove(namespace + "/" + workerCluster);
    }
}
