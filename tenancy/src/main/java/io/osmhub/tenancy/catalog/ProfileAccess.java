package io.osmhub.tenancy.catalog;

import io.osmhub.core.settings.TenantSettings;
import java.util.Set;

/**
 * The profiles that one tenant may use.
 *
 * @param namespace the tenant's own
 * @param granted other namespaces that a MachineDeployment may name
 * @param defaults whether it may use the default profiles of the shared namespace
 */
public record ProfileAccess(String namespace, Set<String> granted, boolean defaults) {
    public ProfileAccess {
        granted = Set.copyOf(granted);
    }

    public static ProfileAccess of(String namespace, TenantSettings.Profiles settings) {
        return new ProfileAccess(
                namespace,
                Set.copyOf(settings.namespaces()),
                settings.installDefaults() != TenantSettings.InstallDefaults.NONE);
    }

    /** Used until the settings are known: its own profiles and the shared ones. */
    public static ProfileAccess own(String namespace) {
        return new ProfileAccess(namespace, Set.of(), true);
    }
}
