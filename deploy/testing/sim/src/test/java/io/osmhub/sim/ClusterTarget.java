package io.osmhub.sim;

import io.osmhub.sim.contract.ContractTarget;

/** A simulated cluster as a target of the contract. */
record ClusterTarget(SimulatedCluster cluster) implements ContractTarget {
    @Override
    public String url() {
        return cluster.url();
    }

    @Override
    public String caPem() {
        return cluster.caPem();
    }

    @Override
    public String token() {
        return cluster.adminToken();
    }
}
