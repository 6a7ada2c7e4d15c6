package io.osmhub.api.inventory;

import io.osmhub.api.access.VisibleTenants;
import io.osmhub.api.schema.Osp.UsedBy;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.Arrays;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** Usage of profiles. Thread-safe. */
final class ProfileUsageIndex {
    /** MachineDeployments in the order of {@link NewNodes}, by profile as namespace/name, then by tenant. */
    private final Map<String, Map<String, int[]>> byProfile = new HashMap<>();

    private final Map<String, Set<String>> byTenant = new HashMap<>();
    private final Set<String> changed = new HashSet<>();

    /** Replaces the usage by the MachineDeployments of a tenant. */
    synchronized void put(String tenant, Map<String, int[]> uses) {
        for (String profile : byTenant.getOrDefault(tenant, Set.of())) {
            if (!uses.containsKey(profile)) {
                Map<String, int[]> users = byProfile.getOrDefault(profile, Map.of());
                users.remove(tenant);
                if (users.isEmpty()) {
                    byProfile.remove(profile);
                }
                changed.add(profile);
            }
        }
        uses.forEach((profile, counts) -> {
            int[] before =
                    byProfile.computeIfAbsent(profile, first -> new HashMap<>()).put(tenant, counts);
            if (!Arrays.equals(before, counts)) {
                changed.add(profile);
            }
        });
        if (uses.isEmpty()) {
            byTenant.remove(tenant);
        } else {
            byTenant.put(tenant, Set.copyOf(uses.keySet()));
        }
    }

    /** Profiles whose usage changed since the last call. */
    synchronized Set<ObjectKey> changed() {
        Set<ObjectKey> keys = new HashSet<>();
        for (String profile : changed) {
            int slash = profile.indexOf('/');
            if (slash > 0) {
                keys.add(new ObjectKey(profile.substring(0, slash), profile.substring(slash + 1)));
            }
        }
        changed.clear();
        return keys;
    }

    /** Number of MachineDeployments in all tenants. */
    int count(ObjectKey profile) {
        return Arrays.stream(counts(profile)).sum();
    }

    /** Number of MachineDeployments by state of new nodes. */
    synchronized int[] counts(ObjectKey profile) {
        int[] sum = new int[NewNodes.values().length];
        for (int[] counts : users(profile).values()) {
            for (int i = 0; i < sum.length; i++) {
                sum[i] += counts[i];
            }
        }
        return sum;
    }

    /** Usage by tenants visible to the caller. */
    synchronized UsedBy countVisible(ObjectKey profile, VisibleTenants visible) {
        int tenants = 0;
        int deployments = 0;
        for (Map.Entry<String, int[]> user : users(profile).entrySet()) {
            if (visible.includesAll() || visible.includes(user.getKey())) {
                tenants++;
                deployments += Arrays.stream(user.getValue()).sum();
            }
        }
        return new UsedBy(tenants, deployments);
    }

    private Map<String, int[]> users(ObjectKey profile) {
        return byProfile.getOrDefault(ConfigRow.profileKey(profile.namespace(), profile.name()), Map.of());
    }
}
