package io.osmhub.sim;

import io.osmhub.sim.contract.ContractTarget;
import io.osmhub.sim.contract.FaultsContract;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;

/** The simulator keeps this part of the contract. */
final class SimulatorFaultsTest extends FaultsContract {
    private static SimulatedClusters clusters;

    @BeforeAll
    static void start() {
        clusters = ContractClusters.start();
    }

    @AfterAll
    static void stop() {
        clusters.close();
    }

    @Override
    protected ContractTarget target() {
        return new ClusterTarget(clusters.cluster(0));
    }
}
