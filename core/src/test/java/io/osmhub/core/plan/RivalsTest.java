package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Decision.Outcome;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Pairs of MachineDeployments that share a name: one of them is always published and the other writes nothing. */
class RivalsTest {
    private static final int WORLDS = 15;
    private static final int STEPS = 10;

    @ParameterizedTest
    @CsvSource({"c, a-b, b-c, a", "y-kubelet, x, x, y", "first, NAME, second, NAME"})
    void oneIsPublishedAndTheOtherWritesNothing(String namespaceA, String nameA, String namespaceB, String nameB) {
        String tooLongForBoth = "n".repeat(60);
        List<String> owners = List.of(
                namespaceA + "/" + nameA.replace("NAME", tooLongForBoth),
                namespaceB + "/" + nameB.replace("NAME", tooLongForBoth));
        for (int seed = 0; seed < WORLDS; seed++) {
            Random random = new Random(seed);
            World world = new World(seed);
            List<String> history = new ArrayList<>();
            for (int step = 0; step < STEPS; step++) {
                history.add(act(world, owners, random));
                if (world.machineDeployments.size() == 2) {
                    requireOnePublished(world, owners, seed + " " + history);
                }
                owners.stream()
                        .filter(owner -> world.machineDeployments.containsKey(owner))
                        .forEach(owner -> part(world, owner, random));
            }
        }
    }

    private static String act(World world, List<String> owners, Random random) {
        String owner = owners.get(random.nextInt(2));
        boolean there = world.machineDeployments.containsKey(owner);
        world.now = world.now.plus(Duration.ofMinutes(random.nextInt(40)));
        switch (random.nextInt(6)) {
            case 0 -> world.asPeer();
            case 1 -> world.profileText = "text " + random.nextInt(3) + "\n";
            case 2 -> {
                if (there) {
                    world.annotate(owner, MachineDeployment.REVISION, String.valueOf(random.nextInt(3)));
                }
            }
            case 3 -> {
                if (there) {
                    world.delete(owner);
                    return "deleted " + owner;
                }
            }
            default -> {
                if (!there) {
                    int slash = owner.indexOf('/');
                    world.machineDeployment(owner.substring(0, slash), owner.substring(slash + 1));
                    return "made " + owner;
                }
            }
        }
        return "touched " + owner;
    }

    private static void requireOnePublished(World world, List<String> owners, String seed) {
        boolean leaving = world.machineDeployments.values().stream()
                .anyMatch(machineDeployment -> machineDeployment.deletionTimestamp() != null);
        List<Decision> decisions = owners.stream().map(world::decide).toList();
        if (!leaving) {
            assertThat(decisions)
                    .as("seed %s", seed)
                    .filteredOn(decision -> decision.outcome() instanceof Outcome.Published)
                    .hasSize(1);
        }
        assertThat(decisions)
                .as("seed %s", seed)
                .filteredOn(decision -> decision.outcome() instanceof Outcome.Blocked)
                .allSatisfy(decision -> assertThat(decision.changes()).isEmpty());
        List<String> written = new ArrayList<>();
        decisions.forEach(decision -> decision.changes()
                .forEach(change -> written.add(
                        (change instanceof PlannedChange.RequestFetchToken ? "token of " : "") + change.target())));
        assertThat(written).as("seed %s", seed).doesNotHaveDuplicates();
    }

    private static void part(World world, String owner, Random random) {
        List<PlannedChange> changes = world.decide(owner).changes();
        changes.subList(0, random.nextInt(changes.size() + 1)).forEach(world::apply);
    }
}
