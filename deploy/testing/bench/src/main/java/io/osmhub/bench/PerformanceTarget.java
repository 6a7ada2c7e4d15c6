package io.osmhub.bench;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.function.ToDoubleFunction;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** A target for the hub. Memory and start targets apply to fleets of up to {@code largestFleet} worker clusters. */
record PerformanceTarget(
        String what, double atMost, String unit, int largestFleet, ToDoubleFunction<FleetResult> measured) {
    /** For a burst of 200 MachineDeployments, also while the API server rejects requests. */
    static final double BURST_SECONDS = 10;

    private static final double MEBIBYTE = 1 << 20;

    static final List<PerformanceTarget> ALL = List.of(
            new PerformanceTarget("process ready", 1.0, "s", 1000, result -> result.firstStart()
                    .readySeconds()),
            new PerformanceTarget("first start, all published", 15, "s", 1000, result -> result.firstStart()
                    .allSyncedSeconds()),
            new PerformanceTarget("restart, all synced", 8, "s", 1000, result -> result.restart()
                    .allSyncedSeconds()),
            new PerformanceTarget("memory at rest (RSS)", 330, "MiB", 1000, PerformanceTarget::resident),
            new PerformanceTarget("memory at rest (RSS)", 1229, "MiB", 5000, PerformanceTarget::resident),
            new PerformanceTarget(
                    "connections for each worker cluster",
                    1,
                    "",
                    Integer.MAX_VALUE,
                    result -> (double) result.connections().toWorkerClusters() / result.clusters()),
            new PerformanceTarget("threads", 64, "", Integer.MAX_VALUE, result -> result.connections()
                    .threads()),
            new PerformanceTarget(
                    "requests for a new MachineDeployment", 6, "", Integer.MAX_VALUE, FleetResult::requestsInSum),
            new PerformanceTarget("single creation, p50", 50, "ms", 1000, result -> result.singles()
                    .p50()),
            new PerformanceTarget("burst in one tenant, p99", 3000, "ms", 1000, result -> result.burstInOneTenant()
                    .latency()
                    .p99()),
            new PerformanceTarget(
                    "burst in one tenant, all", BURST_SECONDS, "s", 1000, result -> result.burstInOneTenant()
                            .allSeconds()),
            new PerformanceTarget("one in each tenant at once", 15, "s", 1000, result -> result.oneInEachTenant()
                    .allSeconds()),
            new PerformanceTarget("processor while idle", 1, "%", 1000, result -> result.idle()
                    .processorPercent()));

    /** The targets for changed extensions, which are not always measured. */
    private static final List<PerformanceTarget> ROTATIONS = List.of(
            rotation("changed extension, p99 of a profile's", 1, "", RotationResult::extensionToProfileP99),
            rotation("changed extension, writes of a secret", 1, "", rotations -> rotations
                    .extensionChange()
                    .mostWritesOfOneSecret()),
            rotation("writes to MachineDeployments", 0, "", rotations -> rotations
                    .extensionChange()
                    .writesTo("machinedeployments")),
            rotation("hub diff of an extension", 5, "s", RotationResult::previewSeconds),
            rotation(
                    "live heap for five extensions",
                    5,
                    "MiB",
                    rotations -> (rotations.memory().liveHeapAfter()
                                    - rotations.memory().liveHeapBefore())
                            / MEBIBYTE));

    private static PerformanceTarget rotation(
            String what, double atMost, String unit, ToDoubleFunction<RotationResult> measured) {
        return new PerformanceTarget(
                what,
                atMost,
                unit,
                1000,
                result -> measured.applyAsDouble(Objects.requireNonNull(result.rotations(), "measured")));
    }

    /** The targets for a fleet of this size; the stricter of two for the same figure. */
    static List<PerformanceTarget> targetsFor(FleetResult result) {
        return Stream.concat(ALL.stream(), result.rotations() == null ? Stream.empty() : ROTATIONS.stream())
                .filter(promise -> result.clusters() <= promise.largestFleet)
                .filter(promise -> ALL.stream()
                        .noneMatch(other -> other.what.equals(promise.what)
                                && other.largestFleet < promise.largestFleet
                                && result.clusters() <= other.largestFleet))
                .toList();
    }

    static boolean areMet(FleetResult result) {
        return targetsFor(result).stream().allMatch(target -> target.isMet(result));
    }

    boolean isMet(FleetResult result) {
        return measured.applyAsDouble(result) <= atMost;
    }

    /** One line: name, the figure of each result, limit, and whether the last one meets it. */
    String formatLine(FleetResult... results) {
        String figures = Arrays.stream(results)
                .map(result -> String.format(Locale.ROOT, "%10s", number(measured.applyAsDouble(result))))
                .collect(Collectors.joining(" "));
        return String.format(
                        Locale.ROOT,
                        "%-38s %s %-4s at most %-7s %s",
                        what,
                        figures,
                        unit,
                        number(atMost),
                        isMet(results[results.length - 1]) ? "met" : "MISSED")
                .stripTrailing();
    }

    private static String number(double value) {
        boolean whole = value == Math.rint(value) || value >= 100;
        return String.format(Locale.ROOT, whole ? "%,.0f" : "%,.2f", value);
    }

    private static double resident(FleetResult result) {
        return result.memory().residentAtRest() / MEBIBYTE;
    }
}
