package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.bench.FleetMeasurement.HubMetricsReader;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class PerformanceTargetTest {
    @Test
    void aFleetWithinEveryLimitKeepsAllPromises() {
        FleetResult result = result(1000, 330, 5);

        assertThat(PerformanceTarget.targetsFor(result))
                .hasSizeGreaterThan(9)
                .allMatch(promise -> promise.isMet(result));
    }

    @Test
    void saysWhichOneIsMissedAndByHowMuch() {
        FleetResult result = result(1000, 500, 7);

        assertThat(PerformanceTarget.targetsFor(result).stream()
                        .filter(promise -> !promise.isMet(result))
                        .map(promise -> promise.formatLine(result)))
                .containsExactly(
                        "memory at rest (RSS)                          500 MiB  at most 330     MISSED",
                        "requests for a new MachineDeployment            7      at most 6       MISSED");
    }

    @Test
    void aLargerFleetHasAnotherLimitOfMemoryAndNoneOfTime() {
        FleetResult result = result(5000, 1500, 5);

        assertThat(PerformanceTarget.targetsFor(result))
                .extracting(PerformanceTarget::what, PerformanceTarget::atMost)
                .contains(org.assertj.core.api.Assertions.tuple("memory at rest (RSS)", 1229.0));
        assertThat(PerformanceTarget.targetsFor(result))
                .extracting(PerformanceTarget::what)
                .doesNotContain("process ready")
                .doesNotHaveDuplicates();
    }

    @Test
    void aComparisonShowsAllFiguresAndJudgesTheLast() {
        FleetResult missed = result(1000, 500, 5);
        FleetResult met = result(1000, 330, 5);
        PerformanceTarget memory = PerformanceTarget.targetsFor(met).stream()
                .filter(target -> target.what().startsWith("memory"))
                .findFirst()
                .orElseThrow();

        assertThat(memory.formatLine(missed, met).split(" {2,}"))
                .containsExactly("memory at rest (RSS)", "500", "330 MiB", "at most 330", "met");
    }

    @Test
    void statusAndEventsAndWatchesAreNotWhatAMachineDeploymentWaitsFor() {
        assertThat(List.of("create secrets", "patch machinedeployments", "get configmaps"))
                .allMatch(FleetMeasurement::isForPublishing);
        assertThat(List.of(
                        "patch operatingsystemconfigs/status",
                        "create events",
                        "update leases",
                        "watch secrets",
                        "list secrets"))
                .noneMatch(FleetMeasurement::isForPublishing);
    }

    @Test
    void countsTheSyncedWorkerClustersOfTheMetrics() {
        String metrics = """
                # TYPE osm_hub_worker_clusters gauge
                osm_hub_worker_clusters{state="connecting"} 3.0
                osm_hub_worker_clusters{state="synced"} 997.0
                osm_hub_worker_clusters_other{state="synced"} 5.0
                """;

        assertThat(HubMetricsReader.synced(metrics)).isEqualTo(997);
        assertThat(HubMetricsReader.synced("")).isZero();
    }

    @Test
    void extensionsHaveTargetsOnlyIfTheyAreMeasured() {
        FleetResult measured = result(1000, 330, 5, RotationResultTest.result(200, 260, 250));

        assertThat(PerformanceTarget.targetsFor(measured).stream()
                        .filter(target -> !target.isMet(measured))
                        .map(PerformanceTarget::what))
                .containsExactly("changed extension, p99 of a profile's");
        assertThat(PerformanceTarget.targetsFor(measured))
                .extracting(PerformanceTarget::what)
                .contains("hub diff of an extension");
        assertThat(PerformanceTarget.targetsFor(result(1000, 330, 5)))
                .extracting(PerformanceTarget::what)
                .doesNotContain("hub diff of an extension");
    }

    private static FleetResult result(int clusters, long mebibytes, double requests) {
        return result(clusters, mebibytes, requests, null);
    }

    private static FleetResult result(
            int clusters, long mebibytes, double requests, @Nullable RotationResult rotations) {
        FleetResult.Start start = new FleetResult.Start(1, 8, 12, 9);
        Percentiles latency = new Percentiles(50, 20, 30, 40, 50);
        long bytes = mebibytes << 20;
        return new FleetResult(
                "2026-01-01T00:00:00Z",
                "a machine",
                List.of("hub", "run"),
                clusters,
                3,
                start,
                start,
                new FleetResult.Memory(bytes, bytes, bytes, bytes, bytes, bytes / 4, 1_000_000),
                new FleetResult.Connections(clusters, 1, 30),
                Map.of("create secrets", requests - 2, "patch machinedeployments", 2.0),
                latency,
                new FleetResult.Burst(200, latency, 1),
                new FleetResult.Burst(clusters, latency, 5),
                new FleetResult.Idle(30, 0.5, Map.of()),
                1,
                List.of(),
                rotations);
    }
}
