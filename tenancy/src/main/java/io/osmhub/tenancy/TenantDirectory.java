package io.osmhub.tenancy;

import java.util.List;
import java.util.Optional;

/** Read access to this replica's tenants. Must not block. */
public interface TenantDirectory {
    /** All tenants by namespace and name. */
    List<TenantView> tenants();

    Optional<TenantView> tenant(String namespace, String name);

    /** For a process without tenants. */
    static TenantDirectory empty() {
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
