package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.demo.stage.SimulatedFleet;
import io.osmhub.sim.SimulationOptions;
import io.osmhub.sim.faults.ClusterFaults;
import io.osmhub.sim.faults.ClusterFaults.FaultAction;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code hub events -f} straight from a management cluster whose connections drop: every change once, in its order. */
final class EventsStraightTest {
    private static final ObjectMapper JSON = new ObjectMapper();
    private static final String API = "operatingsystemmanager.k8c.io/v1alpha1";
    private static final String KIND = "OperatingSystemProfile";

    private final SimulatedFleet stage = SimulatedFleet.build(SimulationOptions.defaults());
    private final List<String> made = new ArrayList<>();

    @TempDir
    private Path folder;

    private RunningCommand following;

    @BeforeEach
    void follow() throws Exception {
        Path kubeconfig = Files.writeString(
                folder.resolve("management.yaml"), stage.management().kubeconfig());
        following = RunningCommand.start(
                List.of("--kubeconfig", kubeconfig.toString()), "events", "-f", "-A", "-o", "json");
        // The first list may take a moment: what is changed is changed until it is told.
        LiveApi.awaitTrue(() -> {
            create("osp-first-" + made.size());
            Thread.sleep(100);
            return !following.lines().isEmpty();
        });
        String first = name(following.lines().getFirst());
        made.subList(0, indexOf(first)).clear();
    }

    @AfterEach
    void stop() {
        following.close();
        stage.close();
    }

    private int indexOf(String name) {
        for (int i = 0; i < made.size(); i++) {
            if (made.get(i).equals("Added " + name)) {
                return i;
            }
        }
        throw new AssertionError(name + " was never made");
    }

    private ClusterFaults faults() {
        return stage.management().faults();
    }

    private void create(String name) {
        ObjectNode profile = stage.management()
                .objects()
                .get(API, KIND, SimulatedFleet.PROFILES, "osp-example")
                .orElseThrow()
                .deepCopy();
        profile.remove("status");
        profile.putObject("metadata").put("namespace", SimulatedFleet.PROFILES).put("name", name);
        stage.management().objects().create(profile);
        made.add("Added " + name);
    }

    /** Another version, which is what a change of a profile is told by. */
    private void change(String name, String version) {
        stage.management()
                .objects()
                .patch(API, KIND, SimulatedFleet.PROFILES, name, "{\"spec\":{\"version\":\"" + version + "\"}}");
        made.add("Modified " + name);
    }

    private void delete(String name) {
        stage.management().objects().delete(API, KIND, SimulatedFleet.PROFILES, name);
        made.add("Deleted " + name);
    }

    /** Some of everything. */
    private void changes(String round) {
        create("osp-a-" + round);
        create("osp-b-" + round);
        change("osp-a-" + round, "v2.0.0");
        change("osp-a-" + round, "v3.0.0");
        delete("osp-b-" + round);
    }

    private static JsonNode read(String line) {
        try {
            return JSON.readTree(line);
        } catch (IOException e) {
            throw new AssertionError(line, e);
        }
    }

    private static String name(String line) {
        return read(line).at("/object/name").asText();
    }

    private List<String> told() {
        return following.lines().stream()
                .map(line -> read(line).path("type").asText() + " " + name(line))
                .toList();
    }

    private void assertEachIsToldOnce() throws Exception {
        long limit = System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
        while (told().size() < made.size() && System.nanoTime() < limit) {
            Thread.sleep(50);
        }
        // Something more, so that what comes twice has had its time to come.
        create("osp-last-" + made.size());
        String last = made.getLast();
        LiveApi.awaitTrue(() -> told().contains(last));
        assertThat(told()).as(following.errorOutput()).containsExactlyElementsOf(made);
        assertThat(following.lines())
                .extracting(line -> read(line).path("id").asText())
                .doesNotHaveDuplicates();
    }

    @Test
    void goesOnAfterConnectionsThatWereClosed() throws Exception {
        for (int round = 0; round < 5; round++) {
            changes("closed-" + round);
            faults().closeConnections();
        }

        assertEachIsToldOnce();
        assertThat(following.stop()).isEqualTo(130);
    }

    @Test
    void tellsWhatHappenedWhileNobodyAnswered() throws Exception {
        changes("before");
        faults().refuseConnections(true);
        faults().closeConnections();
        changes("meanwhile");
        LiveApi.awaitTrue(() -> !following.errorOutput().isEmpty());
        changes("later");
        faults().refuseConnections(false);

        assertEachIsToldOnce();
        assertThat(following.errorOutput())
                .contains("no response from https://127.0.0.1:")
                .doesNotContain("no longer available");
    }

    @Test
    void tellsWhatHappenedBeforeAListHadToBeReadAnew() throws Exception {
        changes("before");
        faults().refuseConnections(true);
        faults().closeConnections();
        changes("meanwhile");
        AtomicBoolean refused = new AtomicBoolean();
        // One watch only: the next one reads what the server still knows.
        faults().script(line -> line.verb().equals("watch")
                        && line.resource().startsWith("operatingsystemprofiles")
                        && refused.compareAndSet(false, true)
                ? FaultAction.fail(410)
                : FaultAction.PASS);
        faults().refuseConnections(false);
        LiveApi.awaitTrue(refused::get);

        assertEachIsToldOnce();
    }
}
