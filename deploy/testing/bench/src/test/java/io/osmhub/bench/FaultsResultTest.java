package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class FaultsResultTest {
    @Test
    void aRowIsKeptWhileHealthyTenantsStayWithinTheRatio() {
        assertThat(row(100, 150, 1.0, 0, 0).isKept(1.5)).isTrue();
        assertThat(row(100, 151, 1.0, 0, 0).isKept(1.5)).isFalse();
    }

    @Test
    void aFewMillisecondsMoreOnAFastMachineAreNoise() {
        assertThat(row(10, 60, 1.0, 0, 0).isKept(1.5)).isTrue();
    }

    @Test
    void aMissingOrWrongSecretOrATenantThatDoesNotRecoverIsNeverKept() {
        assertThat(row(100, 100, 1.0, 1, 0).isKept(1.5)).isFalse();
        assertThat(row(100, 100, 1.0, 0, 1).isKept(1.5)).isFalse();
        assertThat(row(100, 100, null, 0, 0).isKept(1.5)).isFalse();
    }

    @Test
    void aFaultThatIsNotDetectedIsKeptOnlyWhereDetectionIsNotRequired() {
        assertThat(row(null, true).isKept(1.5)).isFalse();
        assertThat(row(null, false).isKept(1.5)).isTrue();
        assertThat(row(3.0, true).isKept(1.5)).isTrue();
    }

    @Test
    void aThrottledTenantIsDetectedAlthoughItsConditionsAreTrue() {
        ObjectNode condition = JsonNodeFactory.instance.objectNode().put("type", "Connected");

        assertThat(FaultScenario.isFault(condition.put("status", "True"))).isFalse();
        assertThat(FaultScenario.isFault(condition.put("reason", "WorkerClusterThrottled")))
                .isTrue();
        assertThat(FaultScenario.isFault(condition.put("reason", "Other").put("status", "False")))
                .isTrue();
    }

    @Test
    void theTableHasALineForEachFaultBelowItsHeader() {
        List<String> table = new FaultsResult("", "", 33, 23, List.of(row(40, 60, 2.5, 0, 0))).table();

        assertThat(table).hasSize(2);
        assertThat(table.get(1).split(" {2,}"))
                .containsExactly("black-holes", "10", "40/40 ms", "60/60 ms", "-", "2.5 s", "0", "0", "-");
    }

    @Test
    void theLiveHeapIsShownWhereItIsMeasured() {
        FaultsResult.Row measured = new FaultsResult.Row(
                "hostile-servers",
                25,
                percentiles(40),
                percentiles(60),
                null,
                false,
                2.5,
                0,
                0,
                31L << 20,
                (33L << 20) + 5);

        List<String> table = new FaultsResult("", "", 33, 8, List.of(measured)).table();

        assertThat(table.getFirst()).endsWith(" heap before/after");
        assertThat(table.getLast()).endsWith(" 31/33 MiB");
        assertThat(FaultScenario.ALL.stream().filter(FaultScenario::measuresHeap))
                .extracting(FaultScenario::name)
                .containsExactly("hostile-servers");
    }

    private static FaultsResult.Row row(int without, int with, @Nullable Double recovered, long missing, long wrong) {
        return new FaultsResult.Row(
                "black-holes",
                10,
                percentiles(without),
                percentiles(with),
                null,
                false,
                recovered,
                missing,
                wrong,
                null,
                null);
    }

    private static FaultsResult.Row row(@Nullable Double detected, boolean detectionRequired) {
        return new FaultsResult.Row(
                "throttling",
                10,
                percentiles(100),
                percentiles(100),
                detected,
                detectionRequired,
                1.0,
                0,
                0,
                null,
                null);
    }

    private static Percentiles percentiles(int millis) {
        return Percentiles.of(List.of(Duration.ofMillis(millis)));
    }
}
