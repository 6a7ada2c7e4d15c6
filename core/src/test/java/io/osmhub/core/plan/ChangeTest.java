package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class ChangeTest {
    private static final Why WHY = new Why(Why.Cause.CONTENT, "x");
    private static final String VALUE = "hunter2";

    private static StoredSecret found(Map<String, String> digests) {
        return new StoredSecret(
                "cloud-init-settings",
                "s",
                "u1",
                "17",
                StoredSecret.OPAQUE,
                false,
                false,
                new TreeMap<>(),
                new TreeMap<>(),
                new TreeMap<>(digests),
                1,
                null);
    }

    private static SecretObject object() {
        SortedMap<String, Sensitive> data = new TreeMap<>();
        data.put("cloud-config", new Sensitive(VALUE));
        return new SecretObject(
                "cloud-init-settings",
                "s",
                StoredSecret.OPAQUE,
                new TreeMap<>(Map.of("b", "2", "a", "1")),
                new TreeMap<>(Marks.LABELS),
                data);
    }

    @Test
    void anObjectIsWrittenWhole() {
        assertThat(object().json().reveal())
                .isEqualTo("{\"apiVersion\":\"v1\",\"data\":{\"cloud-config\":\"aHVudGVyMg==\"},\"kind\":\"Secret\","
                        + "\"metadata\":{\"annotations\":{\"a\":\"1\",\"b\":\"2\"},"
                        + "\"labels\":{\"app.kubernetes.io/managed-by\":\"osm-hub\"},"
                        + "\"name\":\"s\",\"namespace\":\"cloud-init-settings\"},\"type\":\"Opaque\"}");
    }

    @Test
    void anUpdateRemovesWhatIsNotWantedAndIsBoundToWhatWasFound() {
        Change.UpdateSecret update = new Change.UpdateSecret(
                1, WHY, SecretRole.BOOTSTRAP, found(Map.of("cloud-config", "d", "added", "d")), object());

        assertThat(update.patch().reveal())
                .isEqualTo("{\"data\":{\"added\":null,\"cloud-config\":\"aHVudGVyMg==\"},"
                        + "\"metadata\":{\"annotations\":{\"a\":\"1\",\"b\":\"2\"},"
                        + "\"labels\":{\"app.kubernetes.io/managed-by\":\"osm-hub\"},\"resourceVersion\":\"17\"}}");
    }

    @Test
    void aStampTouchesNoData() {
        Change.StampSecret stamp =
                new Change.StampSecret(1, WHY, SecretRole.BOOTSTRAP, found(Map.of()), new TreeMap<>(Map.of("r", "2")));

        assertThat(stamp.patch())
                .isEqualTo("{\"metadata\":{\"annotations\":{\"r\":\"2\"},"
                        + "\"labels\":{\"app.kubernetes.io/managed-by\":\"osm-hub\"},\"resourceVersion\":\"17\"}}");
    }

    @Test
    void finalizersOfOthersStay() {
        MachineDeployment machineDeployment = new MachineDeployment(
                "ns", "md", "u", "9", null, null, List.of("z.example/own", "a.example/own"), new TreeMap<>(), "", null);

        Change.AddFinalizer add = new Change.AddFinalizer(0, WHY, machineDeployment);
        assertThat(add.patch())
                .isEqualTo("[{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"u\"},"
                        + "{\"op\":\"test\",\"path\":\"/metadata/finalizers\","
                        + "\"value\":[\"z.example/own\",\"a.example/own\"]},"
                        + "{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"a.example/own\",\""
                        + MachineDeployment.FINALIZER + "\",\"z.example/own\"]}]");
    }

    @Test
    void theFirstFinalizerNeedsThatThereIsNone() {
        MachineDeployment machineDeployment =
                new MachineDeployment("ns", "md", "u", "9", null, null, List.of(), new TreeMap<>(), "", null);

        assertThat(new Change.AddFinalizer(0, WHY, machineDeployment).patch())
                .contains("{\"op\":\"test\",\"path\":\"/metadata/finalizers\",\"value\":null}")
                .contains("\"value\":[\"" + MachineDeployment.FINALIZER + "\"]}]");
    }

    @Test
    void theLastFinalizerLeavesAnEmptyList() {
        MachineDeployment machineDeployment = new MachineDeployment(
                "ns",
                "md",
                "u",
                "9",
                null,
                Instant.EPOCH,
                List.of(MachineDeployment.FINALIZER),
                new TreeMap<>(),
                "",
                null);

        assertThat(new Change.RemoveFinalizer(0, WHY, machineDeployment).patch())
                .endsWith("{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[]}]");
    }

    @Test
    void noTextOfAChangeShowsAValue() {
        World world = new World(3).machineDeployment("kube-system", "workers");
        Facts facts = world.facts("kube-system/workers");

        Decision decision = world.decider.decide(facts);

        assertThat(decision.changes()).hasSize(6);
        assertThat(decision.toString() + facts)
                .doesNotContain(world.fetchToken)
                .doesNotContain(decision.changes().stream()
                        .filter(Change.CreateToken.class::isInstance)
                        .map(Change.CreateToken.class::cast)
                        .map(change -> change.token().secret().reveal())
                        .findFirst()
                        .orElseThrow());
        assertThat(new Change.CreateSecret(1, WHY, SecretRole.BOOTSTRAP, object()).toString())
                .doesNotContain(VALUE);
    }
}
