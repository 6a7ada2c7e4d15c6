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

/** Pairs of MachineDeployments that give one name: whatever happens, one of them is published and the other writes nothing. */
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
                    .filteredOn(decision -> decision.outcome() instanceof Outcome.Wanted)
                    .hasSize(1);
        }
        assertThat(decisions)
                .as("seed %s", seed)
                .filteredOn(decision -> decision.outcome() instanceof Outcome.Blocked)
                .allSatisfy(decision -> assertThat(decision.changes()).isEmpty());
        List<String> written = new ArrayList<>();
        decisions.forEach(decision -> decision.changes().forEach(change -> {
            switch (change) {
                case Change.CreateSecret create -> written.add(create.object().name());
                case Change.UpdateSecret update -> written.add(update.object().name());
                case Change.ReplaceSecret replace ->
                    written.add(replace.object().name());
                case Change.StampSecret stamp -> written.add(stamp.found().name());
                case Change.DeleteSecret delete -> written.add(delete.found().name());
                case Change.CreateConfig create -> written.add(create.config().name());
                case Change.ReplaceConfig replace ->
                    written.add(replace.config().name());
                case Change.DeleteConfig delete -> written.add(delete.found().name());
                case Change.CreateGrant create ->
                    written.add(create.object().kind() + " " + create.object().name());
                case Change.UpdateGrant update -> written.add(update.found().describe());
                case Change.ReplaceGrant replace -> written.add(replace.found().describe());
                case Change.DeleteGrant delete -> written.add(delete.found().describe());
                case Change.SwapToken swap -> written.add(swap.found().name());
                case Change.RequestToken request -> written.add("token of " + request.account());
                case Change.CreateToken create -> written.add(create.object().name());
                case Change.ExtendToken extend -> written.add(extend.found().name());
                case Change.DeleteToken delete -> written.add(delete.found().name());
                case Change.AddFinalizer add ->
                    written.add("finalizer of " + add.found().describe());
                case Change.RemoveFinalizer remove ->
                    written.add("finalizer of " + remove.found().describe());
            }
        }));
        assertThat(written).as("seed %s", seed).doesNotHaveDuplicates();
    }

    private static void part(World world, String owner, Random random) {
        List<Change> changes = world.decide(owner).changes();
        changes.subList(0, random.nextInt(changes.size() + 1)).forEach(world::apply);
    }
}
