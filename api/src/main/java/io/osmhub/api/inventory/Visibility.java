package io.osmhub.api.inventory;

import io.osmhub.api.access.VisibleTenants;

/**
 * What one caller may see, by kind of object. Seeing a MachineDeployment requires permission for the tenant's OperatingSystemConfigs.
 */
public record Visibility(VisibleTenants workerClusters, VisibleTenants profiles, VisibleTenants configurations) {
    /** For callers that may see everything, such as the hub itself. */
    public static final Visibility EVERYTHING =
            new Visibility(VisibleTenants.EVERYWHERE, VisibleTenants.EVERYWHERE, VisibleTenants.EVERYWHERE);

    /** Whether everything of every tenant is visible, including problems of the hub itself. */
    public boolean includesAll() {
        return workerClusters.includesAll() && profiles.includesAll() && configurations.includesAll();
    }

    /** Whether anything of the tenant of this namespace is visible. */
    public boolean includesTenant(String namespace) {
        return workerClusters.includes(namespace) || profiles.includes(namespace) || configurations.includes(namespace);
    }
}
