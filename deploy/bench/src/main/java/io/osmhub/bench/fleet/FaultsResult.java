package io.osmhub.bench.fleet;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * What tenants without a fault experienced while others had one. Its fields are the keys of the JSON file.
 *
 * @param measuredAt RFC 3339, UTC
 * @param tenants all of them; those that a fault affects are never counted as healthy, in no row
 */
record FaultsResult(String measuredAt, String machine, int tenants, int healthy, List<Row> rows) {
    /** Below this many milliseconds a ratio says more about the machine than about the hub. */
    private static final double NOISE_MILLIS = 50;

    /**
     * One fault.
     *
     * @param affected how many tenants had it; 0 for a fault of the management cluster
     * @param without from a MachineDeployment of a healthy tenant to its secrets, right before the fault
     * @param with the same while the fault lasted
     * @param detectedSeconds until the hub reported every affected tenant; null when it did not within the limit or there is none
     * @param detectionRequired whether the hub has to report every affected tenant
     * @param recoveredSeconds from the end of the fault until the affected tenants were served again; null when they were not
     * @param missing MachineDeployments of all tenants without both secrets after the recovery
     * @param wrong secrets that do not belong to the MachineDeployment or cluster that they are stored for
     * @param heapBefore bytes of live heap before the fault, without load; null where it is not measured
     * @param heapAfter likewise, a minute after the fault has ended and the load was removed
     */
    record Row(
            String fault,
            int affected,
            Percentiles without,
            Percentiles with,
            @Nullable Double detectedSeconds,
            boolean detectionRequired,
            @Nullable Double recoveredSeconds,
            long missing,
            long wrong,
            @Nullable Long heapBefore,
            @Nullable Long heapAfter) {
        double ratio() {
            return with.p99() / Math.max(without.p99(), NOISE_MILLIS);
        }

        /**
         * Whether nothing was lost or wrong, the fault was detected where required, everything recovered, and the healthy tenants stayed
         * within so many times their value.
         */
        boolean isKept(double largestRatio) {
            boolean detected = !detectionRequired || detectedSeconds != null;
            return missing == 0 && wrong == 0 && detected && recoveredSeconds != null && ratio() <= largestRatio;
        }
    }

    /** As a table, one line a row below a header. */
    List<String> table() {
        List<String> lines = new ArrayList<>();
        lines.add(String.format(
                Locale.ROOT,
                "%-24s %9s %17s %17s %9s %10s %8s %6s %17s",
                "fault",
                "affected",
                "p50/p99 without",
                "p50/p99 with",
                "detected",
                "recovered",
                "missing",
                "wrong",
                "heap before/after"));
        for (Row row : rows) {
            lines.add(String.format(
                    Locale.ROOT,
                    "%-24s %9d %17s %17s %9s %10s %8d %6d %17s",
                    row.fault(),
                    row.affected(),
                    pair(row.without()),
                    pair(row.with()),
                    seconds(row.detectedSeconds()),
                    seconds(row.recoveredSeconds()),
                    row.missing(),
                    row.wrong(),
                    heap(row.heapBefore(), row.heapAfter())));
        }
        return lines;
    }

    private static String pair(Percentiles percentiles) {
        return String.format(Locale.ROOT, "%,.0f/%,.0f ms", percentiles.p50(), percentiles.p99());
    }

    private static String heap(@Nullable Long before, @Nullable Long after) {
        return before == null || after == null
                ? "-"
                : String.format(Locale.ROOT, "%,d/%,d MiB", before >> 20, after >> 20);
    }

    private static String seconds(@Nullable Double seconds) {
        return seconds == null ? "-" : String.format(Locale.ROOT, "%.1f s", seconds);
    }
}
