package io.osmhub.demo.stage;

import io.osmhub.sim.ClusterObjects;
import io.osmhub.sim.SimulatedCluster;

/**
 * One tenant.
 *
 * @param namespace in the management cluster
 * @param workerCluster name of its WorkerCluster, and of its simulated cluster
 * @param cluster its own API server
 */
public record Tenant(String namespace, String workerCluster, SimulatedCluster cluster) {
    /** The objects of its worker cluster. */
    public ClusterObjects objects() {
        return cluster.objects();
    }
}
