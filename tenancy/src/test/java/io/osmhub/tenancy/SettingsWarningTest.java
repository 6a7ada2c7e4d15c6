package io.osmhub.tenancy;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.Resource;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class SettingsWarningTest {
    private final FleetWorld world = new FleetWorld();

    @Test
    void aGrantWithoutEffectIsToldOnceAndStopsNothing() {
        world.tenant("t1");
        world.start();
        world.patch("t1", "prod", "{'spec': {'profiles': {'namespaces': ['nobody']}}}");
        world.pass(Duration.ofMinutes(1));
        world.patch("t1", "prod", "{'metadata': {'labels': {'looked': 'at-again'}}}");
        world.pass(Duration.ofMinutes(1));

        assertThat(world.state("t1", "prod")).isEqualTo("Synced");
        assertThat(world.management.all(Resource.EVENTS))
                .filteredOn(event -> event.path("reason").asText().equals("SettingsInvalid"))
                .singleElement()
                .satisfies(event -> assertThat(event.path("note").asText()).contains("spec.profiles.namespaces"));
    }
}
