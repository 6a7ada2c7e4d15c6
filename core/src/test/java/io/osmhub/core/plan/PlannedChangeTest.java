package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

class PlannedChangeTest {
    private static final ChangeReason WHY = new ChangeReason(ChangeReason.Cause.CONTENT, "x");
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

    private static DesiredSecret object() {
        SortedMap<String, Sensitive> data = new TreeMap<>();
        data.put("cloud-config", new Sensitive(VALUE));
        return new DesiredSecret(
                "cloud-init-settings",
                "s",
                StoredSecret.OPAQUE,
                new TreeMap<>(Map.of("b", "2", "a", "1")),
                new TreeMap<>(OwnershipAnnotations.LABELS),
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
        PlannedChange.UpdateSecret update = new PlannedChange.UpdateSecret(
                1, WHY, SecretRole.BOOTSTRAP, found(Map.of("cloud-config", "d", "added", "d")), object());

        assertThat(update.patch().reveal())
                .isEqualTo("{\"data\":{\"added\":null,\"cloud-config\":\"aHVudGVyMg==\"},"
                        + "\"metadata\":{\"annotations\":{\"a\":\"1\",\"b\":\"2\"},"
                        + "\"labels\":{\"app.kubernetes.io/managed-by\":\"osm-hub\"},\"resourceVersion\":\"17\"}}");
    }

    @Test
    void aStampTouchesNoData() {
        PlannedChange.AnnotateSecret stamp = new PlannedChange.AnnotateSecret(
                1, WHY, SecretRole.BOOTSTRAP, found(Map.of()), new TreeMap<>(Map.of("r", "2")));

        assertThat(stamp.patch())
                .isEqualTo("{\"metadata\":{\"annotations\":{\"r\":\"2\"},"
                        + "\"labels\":{\"app.kubernetes.io/managed-by\":\"osm-hub\"},\"resourceVersion\":\"17\"}}");
    }

    @Test
    void finalizersOfOthersStay() {
        MachineDeployment machineDeployment = new MachineDeployment(
                "ns",
                "md",
                "u",
                "9",
                null,
                null,
                List.of("z.example/own", "a.example/own"),
                new TreeMap<>(),
                "",
                null,
                new TreeMap<>());

        PlannedChange.AddFinalizer add = new PlannedChange.AddFinalizer(0, WHY, machineDeployment);
        assertThat(add.patch())
                .isEqualTo("[{\"op\":\"test\",\"path\":\"/metadata/uid\",\"value\":\"u\"},"
                        + "{\"op\":\"test\",\"path\":\"/metadata/finalizers\","
                        + "\"value\":[\"z.example/own\",\"a.example/own\"]},"
                        + "{\"op\":\"add\",\"path\":\"/metadata/finalizers\",\"value\":[\"a.example/own\",\""
                        + MachineDeployment.FINALIZER + "\",\"z.example/own\"]}]");
    }

    @Test
    void theFirstFinalizerNeedsThatThereIsNone() {
        MachineDeployment machineDeployment = new MachineDeployment(
                "ns", "md", "u", "9", null, null, List.of(), new TreeMap<>(), "", null, new TreeMap<>());

        assertThat(new PlannedChange.AddFinalizer(0, WHY, machineDeployment).patch())
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
                null,
                new TreeMap<>());

        assertThat(new PlannedChange.RemoveFinalizer(0, WHY, machineDeployment).patch())
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
                        .filter(PlannedChange.CreateToken.class::isInstance)
                        .map(PlannedChange.CreateToken.class::cast)
                        .map(change -> change.token().secret().reveal())
                        .findFirst()
                        .orElseThrow());
        assertThat(new PlannedChange.CreateSecret(1, WHY, SecretRole.BOOTSTRAP, object()).toString())
                .doesNotContain(VALUE);
    }
}
