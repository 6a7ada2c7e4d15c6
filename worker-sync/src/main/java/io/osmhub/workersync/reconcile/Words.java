package io.osmhub.workersync.reconcile;

import java.time.Duration;

/** Numbers with their units, as messages show them. */
final class Words {
    private Words() {}

    /** For example {@code 3 min 20 s}, {@code 2 h}, {@code 340 ms}. */
    static String of(Duration duration) {
        long millis = Math.max(0, duration.toMillis());
        if (millis < 1_000) {
            return millis + " ms";
        }
        long seconds = millis / 1_000;
        if (seconds < 60) {
            return seconds + " s";
        }
        long minutes = seconds / 60;
        if (minutes < 60) {
            return two(minutes, " min", seconds % 60, " s");
        }
        return two(minutes / 60, " h", minutes % 60, " min");
    }

    private static String two(long large, String largeUnit, long small, String smallUnit) {
        return large + largeUnit + (small == 0 ? "" : " " + small + smallUnit);
    }
}
