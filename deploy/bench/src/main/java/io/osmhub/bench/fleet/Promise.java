package io.osmhub.bench.fleet;

import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;

/** One figure that the hub is to keep. Those of memory and start hold for fleets of up to {@code largestFleet} worker clusters. */
record Promise(String what, double atMost, String unit, int largestFleet, ToDoubleFunction<FleetResult> measured) {
    private static final double MEBIBYTE = 1 << 20;

    static final List<Promise> ALL = List.of(
            new Promise("process ready", 1.5, "s", 1000, result -> result.firstStart()
                    .readySeconds()),
            new Promise("first start, all published", 15, "s", 1000, result -> result.firstStart()
                    .allSyncedSeconds()),
            new Promise("restart, all synced", 15, "s", 1000, result -> result.restart()
                    .allSyncedSeconds()),
            new Promise("memory at rest (RSS)", 450, "MiB", 1000, Promise::resident),
            new Promise("memory at rest (RSS)", 1536, "MiB", 5000, Promise::resident),
            new Promise(
                    "connections for each worker cluster",
                    1,
                    "",
                    Integer.MAX_VALUE,
                    result -> (double) result.connections().toWorkerClusters() / result.clusters()),
            new Promise("threads", 64, "", Integer.MAX_VALUE, result -> result.connections()
                    .threads()),
            new Promise("requests for a new MachineDeployment", 6, "", Integer.MAX_VALUE, FleetResult::requestsInSum),
            new Promise("single creation, p50", 50, "ms", 1000, result -> result.singles()
                    .p50()),
            new Promise("burst in one tenant, p99", 3000, "ms", 1000, result -> result.burstInOneTenant()
                    .latency()
                    .p99()),
            new Promise("one in each tenant at once", 15, "s", 1000, result -> result.oneInEachTenant()
                    .allSeconds()),
            new Promise("processor while idle", 2, "%", 1000, result -> result.idle()
                    .processorPercent()));

    /** The promises that say something about a fleet of this size; of two about one thing, the stricter. */
    static List<Promise> about(FleetResult result) {
        return ALL.stream()
                .filter(promise -> result.clusters() <= promise.largestFleet)
                .filter(promise -> ALL.stream()
                        .noneMatch(other -> other.what.equals(promise.what)
                                && other.largestFleet < promise.largestFleet
                                && result.clusters() <= other.largestFleet))
                .toList();
    }

    boolean isKept(FleetResult result) {
        return measured.applyAsDouble(result) <= atMost;
    }

    /** One line: what, the figure, the limit, and whether it is kept. */
    String line(FleetResult result) {
        return String.format(
                        Locale.ROOT,
                        "%-38s %10s %-4s at most %-7s %s",
                        what,
                        number(measured.applyAsDouble(result)),
                        unit,
                        number(atMost),
                        isKept(result) ? "kept" : "MISSED")
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
