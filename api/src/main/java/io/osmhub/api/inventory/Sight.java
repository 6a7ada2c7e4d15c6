package io.osmhub.api.inventory;

import io.osmhub.api.access.Visible;

/**
 * What one caller may see, by the kind of object behind it. A MachineDeployment is seen by who may see the tenant's
 * OperatingSystemConfigs.
 */
public record Sight(Visible workerClusters, Visible profiles, Visible configurations) {
    /** Of somebody who may see everything, such as the hub itself. */
    public static final Sight EVERYTHING = new Sight(Visible.EVERYWHERE, Visible.EVERYWHERE, Visible.EVERYWHERE);

    /** Everything of every tenant, and what concerns the hub as a whole. */
    public boolean all() {
        return workerClusters.all() && profiles.all() && configurations.all();
    }

    /** Anything of the tenant of this namespace. */
    public boolean seesAnythingIn(String namespace) {
        return workerClusters.sees(namespace) || profiles.sees(namespace) || configurations.sees(namespace);
    }
}
