package io.osmhub.sim;

import io.osmhub.sim.auth.Authorizer;

/** Starts the cluster that the contract is tried on. */
final class ContractClusters {
    private ContractClusters() {}

    static SimulatedClusters start() {
        return SimulatedClusters.start(1, SimulationOptions.defaults().withAuthorization(Authorizer.Mode.RBAC));
    }
}
