package io.osmhub.demo.stage;

import io.osmhub.sim.SimulatedCluster;
import io.osmhub.sim.SimulatedObjects;

/**
 * One tenant.
 *
 * @param namespace in the management cluster
 * @param workerCluster name of its WorkerCluster, and of its simulated cluster
 * @param cluster its own API server
 */
public record SimulatedTenant(String namespace, String workerCluster, SimulatedCluster cluster) {
    /** The objects of its worker cluster. */
    public SimulatedObjects objects() {
        return cluster.objects();
    }
}
