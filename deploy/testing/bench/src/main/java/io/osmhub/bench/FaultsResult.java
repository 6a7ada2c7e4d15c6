package io.osmhub.bench;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Results of healthy tenants while others were faulty. The fields are the keys of the JSON file.
 *
 * @param measuredAt RFC 3339, UTC
 * @param tenants all tenants; those affected by any fault never count as healthy
 */
record FaultsResult(String measuredAt, String machine, int tenants, int healthy, List<Row> rows) {
    /** Below this many milliseconds a ratio reflects the machine more than the hub. */
    private static final double NOISE_MILLIS = 50;

    /**
     * One fault.
     *
     * @param affected number of affected tenants; 0 for a fault of the management cluster
     * @param without latency of healthy tenants from a MachineDeployment to its secrets, right before the fault
     * @param with the same during the fault
     * @param detectedSeconds until the hub reported every affected tenant; null if not within the limit or if none are affected
     * @param detectionRequired whether the hub must report every affected tenant
     * @param recoveredSeconds from the end of the fault until the affected tenants were served again; null if they were not
     * @param missing MachineDeployments of all tenants without both secrets after the recovery
     * @param wrong secrets that do not belong to their MachineDeployment or cluster
     * @param heapBefore bytes of live heap before the fault, without load; null if not measured
     * @param heapAfter a minute after the end of fault and load
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
         * Whether nothing was lost or wrong, the fault was detected if required, everything recovered, and the healthy tenants stayed within
         * this ratio.
         */
        boolean isKept(double largestRatio) {
            boolean detected = !detectionRequired || detectedSeconds != null;
            return missing == 0 && wrong == 0 && detected && recoveredSeconds != null && ratio() <= largestRatio;
        }
    }

    /** A table with a header line. */
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
