package io.osmhub.demo;

import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.Recipe;
import io.osmhub.demo.stage.Sightings;
import io.osmhub.demo.stage.Tenant;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** A tenant and what it asks for: how many machines of each MachineDeployment. */
record Player(Tenant tenant, Sightings sightings, Map<MachineDeploymentName, Integer> wanted) {
    Player(Tenant tenant) {
        this(tenant, Sightings.of(tenant.cluster()), new ConcurrentSkipListMap<>());
    }

    /** Creates a MachineDeployment. */
    void create(MachineDeploymentName name, Recipe recipe, int replicas) {
        wanted.put(name, replicas);
        tenant.objects().create(recipe.machineDeployment(name, replicas));
    }
}
