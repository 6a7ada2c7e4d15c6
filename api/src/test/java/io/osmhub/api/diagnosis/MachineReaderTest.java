package io.osmhub.api.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.Machines;
import io.osmhub.workersync.Machines.Machine;
import io.osmhub.workersync.watch.WatchedMachineDeployment.Replicas;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class MachineReaderTest {
    private static final Instant LIMIT = Instant.parse("2026-11-21T10:40:00Z");
    private static final Instant LONG_AGO = LIMIT.minus(Duration.ofHours(1));
    private static final Instant JUST_NOW = LIMIT.plusSeconds(1);

    private static Machine machine(String name, Instant createdAt, boolean started) {
        return new Machine(name, createdAt, started);
    }

    private static String overdue(Replicas replicas, Instant createdAt, Machine... machines) {
        return MachineReader.overdue(replicas, createdAt, new Machines(List.of(machines)), LIMIT);
    }

    @Test
    void machinesThatMachineControllerHasNotCreatedAreOverdueAfterAMinute() {
        assertThat(overdue(new Replicas(2, 0, false), LONG_AGO))
                .isEqualTo("0 of 2 machines created; machine-controller has not observed this MachineDeployment");
        assertThat(overdue(new Replicas(2, 1, true), LONG_AGO, machine("a", LONG_AGO, true)))
                .isEqualTo("1 of 2 machines created");
        assertThat(overdue(new Replicas(2, 0, false), JUST_NOW)).isEmpty();
    }

    @Test
    void machinesWithoutAnInstanceAreOverdueAfterAMinute() {
        assertThat(overdue(
                        new Replicas(2, 0, true),
                        LONG_AGO,
                        machine("a", LONG_AGO, false),
                        machine("b", JUST_NOW, false)))
                .isEqualTo("1 of 2 machines without an instance for over a minute");
    }

    @Test
    void nothingIsOverdueWhenAllMachinesStarted() {
        assertThat(overdue(new Replicas(1, 1, true), LONG_AGO, machine("a", LONG_AGO, true)))
                .isEmpty();
        assertThat(overdue(new Replicas(0, 0, true), LONG_AGO)).isEmpty();
    }
}
