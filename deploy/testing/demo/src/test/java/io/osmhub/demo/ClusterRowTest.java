package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.DemoRun.DemoTenant;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.objects.JsonTrees;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClusterRowTest {
    @ParameterizedTest
    @CsvSource({"Synced, No answer", "Degraded, No answer", "Unreachable, Unreachable", "Paused, Paused"})
    void anUnansweredConnectionIsShownBeforeTheStateChanges(String state, String shown) {
        try (SimulatedFleet stage = SimulatedFleet.build(SimulationOptions.defaults())) {
            DemoTenant player = new DemoTenant(stage.addTenant("amber", "worker-1"));
            ObjectNode status = JsonTrees.object().put("state", state);

            assertThat(ClusterRow.of(player, status).state()).isEqualTo(state);
            status.put("noAnswerSince", "2026-01-01T00:00:00Z");
            assertThat(ClusterRow.of(player, status).state()).isEqualTo(shown);
        }
    }
}
