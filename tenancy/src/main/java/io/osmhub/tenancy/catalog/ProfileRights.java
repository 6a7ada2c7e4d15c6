package io.osmhub.tenancy.catalog;

import io.osmhub.core.settings.TenantSettings;
import java.util.Set;

/**
 * Which profiles one tenant may use.
 *
 * @param namespace the tenant's own
 * @param granted namespaces that a MachineDeployment may name besides
 * @param defaults whether it sees the default profiles of the shared namespace
 */
public record ProfileRights(String namespace, Set<String> granted, boolean defaults) {
    public ProfileRights {
        granted = Set.copyOf(granted);
    }

    public static ProfileRights of(String namespace, TenantSettings.Profiles settings) {
        return new ProfileRights(
                namespace,
                Set.copyOf(settings.namespaces()),
                settings.installDefaults() != TenantSettings.InstallDefaults.NONE);
    }

    /** Before its settings are known: its own profiles and the shared ones. */
    public static ProfileRights own(String namespace) {
        return new ProfileRights(namespace, Set.of(), true);
    }
}
