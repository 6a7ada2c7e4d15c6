package io.osmhub.tenancy;

import java.util.List;
import java.util.Optional;

/** Everything that is known of the tenants of this replica, for whoever shows it. Asking costs nothing and changes nothing. */
public interface TenantDirectory {
    /** All tenants by namespace and name. */
    List<TenantView> tenants();

    Optional<TenantView> tenant(String namespace, String name);
}
