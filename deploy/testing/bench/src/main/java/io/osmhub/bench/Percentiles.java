package io.osmhub.bench;

import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Locale;

/** Percentiles of durations in milliseconds; 0 if there are none. */
record Percentiles(int count, double p50, double p90, double p99, double max) {
    static Percentiles of(Collection<Duration> durations) {
        List<Duration> sorted = durations.stream().sorted().toList();
        return new Percentiles(sorted.size(), at(sorted, 0.5), at(sorted, 0.9), at(sorted, 0.99), at(sorted, 1));
    }

    // Nearest rank: a measured value, not an interpolated one.
    private static double at(List<Duration> sorted, double share) {
        if (sorted.isEmpty()) {
            return 0;
        }
        int rank = (int) Math.ceil(share * sorted.size());
        return sorted.get(Math.max(rank, 1) - 1).toNanos() / 1e6;
    }

    @Override
    public String toString() {
        return String.format(
                Locale.ROOT, "p50 %,.0f ms, p90 %,.0f ms, p99 %,.0f ms, max %,.0f ms (%d)", p50, p90, p99, max, count);
    }
}
