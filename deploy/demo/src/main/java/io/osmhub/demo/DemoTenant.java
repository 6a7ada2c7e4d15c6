package io.osmhub.demo;

import io.osmhub.demo.stage.MachineDeploymentName;
import io.osmhub.demo.stage.MachineFlavor;
import io.osmhub.demo.stage.SecretObserver;
import io.osmhub.demo.stage.SimulatedTenant;
import java.util.Map;
import java.util.concurrent.ConcurrentSkipListMap;

/** A tenant and its requested machines per MachineDeployment. */
record DemoTenant(
        SimulatedTenant tenant, SecretObserver observer, Map<MachineDeploymentName, Integer> desiredReplicas) {
    DemoTenant(SimulatedTenant tenant) {
        this(tenant, SecretObserver.of(tenant.cluster()), new ConcurrentSkipListMap<>());
    }

    void create(MachineDeploymentName name, MachineFlavor recipe, int replicas) {
        desiredReplicas.put(name, replicas);
        tenant.objects().create(recipe.machineDeployment(name, replicas));
    }
}
