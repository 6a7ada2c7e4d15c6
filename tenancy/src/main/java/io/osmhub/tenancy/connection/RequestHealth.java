package io.osmhub.tenancy.connection;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Whether an API server rejects too many requests with 429 or 5xx: from a fifth of them within a minute until less than a
 * twentieth. Thread-safe.
 */
final class RequestHealth {
    private static final int SLICES = 6;
    private static final long SLICE_NANOS = Duration.ofSeconds(10).toNanos();
    // A fifth of fewer requests would be a single one.
    private static final int FEWEST = 10;
    private static final double BAD = 0.20;
    private static final double GOOD = 0.05;

    private final Scheduler scheduler;
    private final int[] requests = new int[SLICES];
    private final int[] refused = new int[SLICES];
    private final Set<Integer> codes = new TreeSet<>();
    private String lastRefusal = "";
    private long slice;
    private boolean degraded;

    RequestHealth(Scheduler scheduler) {
        this.scheduler = scheduler;
        this.slice = scheduler.nanoTime() / SLICE_NANOS;
    }

    /**
     * Statistics of the last minute.
     *
     * @param lastRefusal code and message of the API server
     */
    record MinuteStatistics(int requests, int refused, String codes, String lastRefusal) {}

    /** Counts a request. Returns true if the health changed. */
    synchronized boolean recordResult(@Nullable ApiFailure failure) {
        moveOn();
        int at = (int) (slice % SLICES);
        requests[at]++;
        if (failure != null && (failure.code() == 429 || failure.code() >= 500)) {
            refused[at]++;
            codes.add(failure.code());
            lastRefusal = failure.code() + ": " + failure.text();
        }
        return updateDegraded();
    }

    /** Drops old requests. Returns true if the health changed. */
    synchronized boolean refresh() {
        moveOn();
        return updateDegraded();
    }

    synchronized boolean isDegraded() {
        return degraded;
    }

    synchronized MinuteStatistics lastMinute() {
        return new MinuteStatistics(
                sum(requests),
                sum(refused),
                String.join(", ", codes.stream().map(String::valueOf).toList()),
                lastRefusal);
    }

    private void moveOn() {
        long now = scheduler.nanoTime() / SLICE_NANOS;
        for (long passed = Math.max(slice + 1, now - SLICES + 1); passed <= now; passed++) {
            requests[(int) (passed % SLICES)] = 0;
            refused[(int) (passed % SLICES)] = 0;
        }
        slice = Math.max(slice, now);
    }

    private boolean updateDegraded() {
        int all = sum(requests);
        double share = all == 0 ? 0 : (double) sum(refused) / all;
        boolean before = degraded;
        if (share >= BAD && all >= FEWEST) {
            degraded = true;
        } else if (share < GOOD) {
            degraded = false;
            codes.clear();
        }
        return before != degraded;
    }

    private static int sum(int[] counts) {
        int sum = 0;
        for (int count : counts) {
            sum += count;
        }
        return sum;
    }
}
