package io.osmhub.api.inventory;

import io.osmhub.api.inventory.LiveTenantValues.LiveMachineDeployment;
import io.osmhub.tenancy.TenantView;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Live values that are not stored: of this replica's tenants, read at most once a second for each tenant, and of others as last received
 * from the replicas that serve them.
 */
final class LiveTenantCache {
    private static final long FRESH_NANOS = 1_000_000_000L;

    private final LocalReplica replica;
    private final Map<String, CachedTenant> known = new ConcurrentHashMap<>();
    private volatile Map<String, CachedTenant> received = Map.of();

    /** A recent snapshot of a tenant; {@code values} is null if this replica does not serve it. */
    private record CachedTenant(
            @Nullable LiveTenantValues values,
            Map<MachineDeploymentRow.MachineDeploymentKey, LiveMachineDeployment> machineDeployments,
            long at) {
        static CachedTenant of(@Nullable LiveTenantValues values, long at) {
            Map<MachineDeploymentRow.MachineDeploymentKey, LiveMachineDeployment> byKey = new HashMap<>();
            if (values != null) {
                values.machineDeployments()
                        .forEach(each -> byKey.put(
                                new MachineDeploymentRow.MachineDeploymentKey(
                                        values.namespace(), each.namespace(), each.name()),
                                each));
            }
            return new CachedTenant(values, byKey, at);
        }
    }

    LiveTenantCache(LocalReplica replica) {
        this.replica = replica;
    }

    /** Null if no replica has told its values. */
    @Nullable LiveTenantValues tenant(String namespace, String workerCluster) {
        return known(namespace, workerCluster).values();
    }

    /** Null if no replica has told its values. */
    @Nullable LiveMachineDeployment deployment(MachineDeploymentRow row) {
        return deployments(row.place().namespace(), row.place().workerCluster()).get(row.key());
    }

    /** All MachineDeployments of a tenant; empty if no replica has told its values. */
    Map<MachineDeploymentRow.MachineDeploymentKey, LiveMachineDeployment> deployments(
            String namespace, String workerCluster) {
        return known(namespace, workerCluster).machineDeployments();
    }

    @Nullable Instant tokenEnd(MachineDeploymentRow row) {
        LiveMachineDeployment values = deployment(row);
        return values == null ? null : values.tokenEnd();
    }

    /** As a sortable number; null if unknown. */
    @Nullable Long kubeletVersion(MachineDeploymentRow row) {
        LiveMachineDeployment values = deployment(row);
        return values == null || values.kubeletVersion() == null ? null : StatusParser.version(values.kubeletVersion());
    }

    @Nullable Instant firstTokenEnd(TenantRow row) {
        LiveTenantValues values = tenant(row.namespace(), row.name());
        return values == null ? null : values.firstTokenEnd();
    }

    /** Of the tenants that this replica serves. */
    List<LiveTenantValues> own() {
        return replica.tenants().stream()
                .map(view -> LiveTenantValues.of(replica.name(), view))
                .toList();
    }

    /**
     * Replaces the values of tenants that others serve.
     *
     * @return namespaces whose rows depend on changed values
     */
    List<String> receive(List<LiveTenantValues> values) {
        Map<String, CachedTenant> before = received;
        Map<String, CachedTenant> after = new HashMap<>();
        List<String> changed = new ArrayList<>();
        for (LiveTenantValues each : values) {
            String key = each.namespace() + "/" + each.workerCluster();
            CachedTenant old = before.get(key);
            after.put(key, CachedTenant.of(each, 0));
            if (!each.problems().isEmpty() && (old == null || !each.equals(old.values()))) {
                changed.add(each.namespace());
            }
        }
        received = Map.copyOf(after);
        return changed;
    }

    private CachedTenant known(String namespace, String workerCluster) {
        String key = namespace + "/" + workerCluster;
        CachedTenant before = known.get(key);
        long now = replica.nanoTime();
        if (before == null || now - before.at() >= FRESH_NANOS) {
            TenantView view = replica.tenant(namespace, workerCluster).orElse(null);
            before = CachedTenant.of(view == null ? null : LiveTenantValues.of(replica.name(), view), now);
            known.put(key, before);
        }
        return before.values() == null ? Objects.requireNonNullElse(received.get(key), before) : before;
    }

    /** Removes a deleted tenant. */
    void invalidate(String namespace, String workerCluster) {
        known.remove(namespace + "/" + workerCluster);
    }
}
