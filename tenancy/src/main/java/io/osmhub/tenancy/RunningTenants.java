package io.osmhub.tenancy;

import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The running tenants, by UID of the WorkerCluster and by namespace. Those of one namespace are changed by one thread at a time;
 * thread-safe for readers.
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

    /** A snapshot. */
    List<RunningTenant> in(String namespace) {
        return List.copyOf(byNamespace.getOrDefault(namespace, Map.of()).values());
    }

    /** A live view. */
    Collection<RunningTenant> all() {
        return byUid.values();
    }
}
