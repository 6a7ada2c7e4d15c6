package io.osmhub.workersync.reconcile;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.plan.World;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class AdoptionCounterTest {
    private static final String MD = "kube-system/workers";

    private final World world = new World(1);
    private final AdoptionCounter adoptions = new AdoptionCounter();

    @BeforeEach
    void leaveObjectsOfThePeer() {
        world.machineDeployment("kube-system", "workers");
        world.run(MD);
        world.asPeer();
    }

    @Test
    void objectsWithoutAStatusAreNew() {
        count(true);

        assertThat(adoptions.takeCount()).isEqualTo(new AdoptionCounter.AdoptionCount(1, 3, 0));
    }

    @Test
    void whereNoStatusIsKeptUnchangedObjectsAreNotReportedAtEveryStart() {
        count(false);

        assertThat(adoptions.takeCount().machineDeployments()).isZero();
    }

    @Test
    void whereNoStatusIsKeptObjectsAreReportedWhenTheyAreMarked() {
        world.clusterDns("10.1.1.1");
        count(false);
        world.run(MD);
        count(false);

        assertThat(adoptions.takeCount().machineDeployments()).isOne();
    }

    private void count(boolean keepsStatus) {
        adoptions.addRun(world.facts(MD), world.decide(MD), keepsStatus);
    }
}
