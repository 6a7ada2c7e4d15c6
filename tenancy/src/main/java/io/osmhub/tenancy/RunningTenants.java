package io.osmhub.tenancy;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The tenants that are served now, by UID of the WorkerCluster and by namespace. Those of one namespace change only in its looks,
 * one at a time; everybody may read.
 */
final class RunningTenants {
    private final Map<String, RunningTenant> byUid = new ConcurrentHashMap<>();
    private final Map<String, Map<String, RunningTenant>> byNamespace = new ConcurrentHashMap<>();

    void add(RunningTenant tenant) {
        String uid = tenant.record().uid();
        byUid.put(uid, tenant);
        byNamespace
                .computeIfAbsent(tenant.record().namespace(), added -> new ConcurrentHashMap<>())
                .put(uid, tenant);
    }

    void remove(RunningTenant tenant) {
        String uid = tenant.record().uid();
        byUid.remove(uid, tenant);
        byNamespace.computeIfPresent(tenant.record().namespace(), (namespace, tenants) -> {
            tenants.remove(uid, tenant);
            return tenants.isEmpty() ? null : tenants;
        });
    }

    void clear() {
        byUid.clear();
        byNamespace.clear();
    }

    @Nullable RunningTenant find(String uid) {
        return byUid.get(uid);
    }

    /** As it is at this moment. */
    List<RunningTenant> in(String namespace) {
        return List.copyOf(byNamespace.getOrDefault(namespace, Map.of()).values());
    }

    /** A view that goes on changing. */
    Collection<RunningTenant> all() {
        return byUid.values();
    }
}
