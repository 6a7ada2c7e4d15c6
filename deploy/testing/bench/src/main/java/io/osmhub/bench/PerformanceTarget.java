package io.osmhub.bench;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** A target for the hub. Memory and start targets apply to fleets of up to {@code largestFleet} worker clusters. */
record PerformanceTarget(
        String what, double atMost, String unit, int largestFleet, ToDoubleFunction<FleetResult> measured) {
    private static final double MEBIBYTE = 1 << 20;

    static final List<PerformanceTarget> ALL = List.of(
            new PerformanceTarget("process ready", 1.5, "s", 1000, result -> result.firstStart()
                    .readySeconds()),
            new PerformanceTarget("first start, all published", 15, "s", 1000, result -> result.firstStart()
                    .allSyncedSeconds()),
            new PerformanceTarget("restart, all synced", 15, "s", 1000, result -> result.restart()
                    .allSyncedSeconds()),
            new PerformanceTarget("memory at rest (RSS)", 450, "MiB", 1000, PerformanceTarget::resident),
            new PerformanceTarget("memory at rest (RSS)", 1536, "MiB", 5000, PerformanceTarget::resident),
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
            new PerformanceTarget("one in each tenant at once", 15, "s", 1000, result -> result.oneInEachTenant()
                    .allSeconds()),
            new PerformanceTarget("processor while idle", 2, "%", 1000, result -> result.idle()
                    .processorPercent()));

    /** The targets for a fleet of this size; the stricter of two for the same figure. */
    static List<PerformanceTarget> targetsFor(FleetResult result) {
        return ALL.stream()
                .filter(promise -> result.clusters() <= promise.largestFleet)
                .filter(promise -> ALL.stream()
                        .noneMatch(other -> other.what.equals(promise.what)
                                && other.largestFleet < promise.largestFleet
                                && result.clusters() <= other.largestFleet))
                .toList();
    }

    boolean isMet(FleetResult result) {
        return measured.applyAsDouble(result) <= atMost;
    }

    /** One line: name, figure, limit, and whether it is met. */
    String formatLine(FleetResult result) {
        return String.format(
                        Locale.ROOT,
                        "%-38s %10s %-4s at most %-7s %s",
                        what,
                        number(measured.applyAsDouble(result)),
                        unit,
                        number(atMost),
                        isMet(result) ? "met" : "MISSED")
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
