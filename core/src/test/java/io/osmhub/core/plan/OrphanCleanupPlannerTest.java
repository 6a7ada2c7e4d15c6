package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OrphanCleanupPlannerTest {
    private static final String MD = "kube-system/workers";

    private final World world = new World(1).machineDeployment("kube-system", "workers");

    @Test
    void nothingIsLeftWhileTheMachineDeploymentIsThere() {
        world.run(MD);

        assertThat(world.leftovers()).isEmpty();
    }

    @Test
    void allOfOneThatIsGoneIsDeletedTheBootstrapSecretNotAfterItsToken() {
        world.run(MD);
        world.machineDeployments.clear();

        assertThat(world.leftovers()).hasSize(5).isSortedAccordingTo((a, b) -> Integer.compare(a.stage(), b.stage()));
        world.leftovers().forEach(world::apply);

        assertThat(world.secrets).isEmpty();
        assertThat(world.tokens).isEmpty();
        assertThat(world.configs).isEmpty();
    }

    @Test
    void whatATakenOverHubLeftIsDeleted() {
        world.run(MD);
        world.machineDeployments.clear();
        world.hubId = "another";
        assertThat(world.leftovers()).hasSize(1);

        world.formerHubs = Set.of(World.HUB);

        assertThat(world.leftovers()).hasSizeGreaterThan(1);
    }

    @Test
    void whatThePeerLeftIsNotTouched() {
        world.run(MD);
        world.asPeer();
        world.machineDeployments.clear();

        assertThat(world.leftovers()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "osmhub.io/hub-id, another",
        "osmhub.io/tenant, other/tenant",
        "osmhub.io/hub-id, ''",
        "osmhub.io/tenant, ''"
    })
    void whatIsAnothersIsNotTouched(String mark, String value) {
        world.run(MD);
        world.machineDeployments.clear();
        String name = world.secrets.firstKey();
        StoredSecret old = Objects.requireNonNull(world.secrets.get(name));
        SortedMap<String, String> annotations = new TreeMap<>(old.annotations());
        annotations.putAll(Map.of(mark, value));
        world.secrets.put(
                name,
                new StoredSecret(
                        old.namespace(),
                        name,
                        old.uid(),
                        old.resourceVersion(),
                        old.type(),
                        false,
                        annotations,
                        old.labels(),
                        old.digests(),
                        old.bytes(),
                        null));

        assertThat(world.leftovers())
                .hasSize(4)
                .noneMatch(change -> change.target().name().equals(name));
    }
}
