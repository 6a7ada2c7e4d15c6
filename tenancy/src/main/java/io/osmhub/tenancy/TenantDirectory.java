package io.osmhub.tenancy;

import java.util.List;
import java.util.Optional;

/** Everything that is known of the tenants of this replica, for whoever shows it. Asking costs nothing and changes nothing. */
public interface TenantDirectory {
    /** All tenants by namespace and name. */
    List<TenantView> tenants();

    Optional<TenantView> tenant(String namespace, String name);

    /** Of a process that serves nobody. */
    static TenantDirectory ofNobody() {
        return new TenantDirectory() {
            @Override
            public List<TenantView> tenants() {
                return List.of();
            }

            @Override
            public Optional<TenantView> tenant(String namespace, String name) {
                return Optional.empty();
            }
        };
    }
}
