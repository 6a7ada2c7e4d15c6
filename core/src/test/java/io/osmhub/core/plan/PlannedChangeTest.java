package io.osmhub.core.plan;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.bootstrap.BootstrapToken;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.plan.DesiredObject.DesiredSecret;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
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
                SecretRole.BOOTSTRAP,
                "s",
                new TreeMap<>(Map.of("b", "2", "a", "1")),
                new TreeMap<>(OwnershipAnnotations.LABELS),
                data);
    }

    @Test
    void anObjectIsWrittenWhole() {
        assertThat(object().json().reveal())
                .isEqualTo("{\"apiVersion\":\"v1\",\"kind\":\"Secret\","
                        + "\"metadata\":{\"annotations\":{\"a\":\"1\",\"b\":\"2\"},"
                        + "\"labels\":{\"app.kubernetes.io/managed-by\":\"osm-hub\"},"
                        + "\"name\":\"s\",\"namespace\":\"cloud-init-settings\"},\"type\":\"Opaque\","
                        + "\"data\":{\"cloud-config\":\"aHVudGVyMg==\"}}");
    }

    @Test
    void anUpdateRemovesWhatIsNotWantedAndIsBoundToWhatWasFound() {
        Sensitive patch = object().patch(found(Map.of("cloud-config", "d", "added", "d")));

        assertThat(patch.reveal())
                .isEqualTo("{\"metadata\":{\"annotations\":{\"a\":\"1\",\"b\":\"2\"},"
                        + "\"labels\":{\"app.kubernetes.io/managed-by\":\"osm-hub\"},\"resourceVersion\":\"17\"},"
                        + "\"data\":{\"added\":null,\"cloud-config\":\"aHVudGVyMg==\"}}");
    }

    @Test
    void aStampTouchesNoData() {
        PlannedChange.Annotate stamp = new PlannedChange.Annotate(
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

        PlannedChange.SetFinalizer add = new PlannedChange.SetFinalizer(0, WHY, machineDeployment, true);
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

        assertThat(new PlannedChange.SetFinalizer(0, WHY, machineDeployment, true).patch())
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

        assertThat(new PlannedChange.SetFinalizer(0, WHY, machineDeployment, false).patch())
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
                        .filter(PlannedChange::createsToken)
                        .map(change -> ((DesiredSecret) Objects.requireNonNull(change.object())).data())
                        .map(data -> Objects.requireNonNull(data.get(BootstrapToken.SECRET))
                                .reveal())
                        .findFirst()
                        .orElseThrow());
        assertThat(new PlannedChange.Create(1, WHY, object()).toString()).doesNotContain(VALUE);
    }
}
