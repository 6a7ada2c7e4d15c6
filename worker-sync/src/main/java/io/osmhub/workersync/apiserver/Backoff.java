package io.osmhub.workersync.apiserver;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * How long to wait after failures in a row: twice as long each time, up to a limit, and never two waiters at the same moment.
 *
 * @param first wait after one failure, about
 * @param most longest wait
 */
public record Backoff(Duration first, Duration most) {
    private static final int DOUBLINGS = 30;

    public Backoff {
        if (first.isNegative() || first.isZero() || most.compareTo(first) < 0) {
            throw new IllegalArgumentException("waits grow from more than nothing");
        }
    }

    /** A wait between half of the full one and the full one. {@code failures} counts from 1. */
    public Duration after(int failures, RandomGenerator random) {
        int doublings = Math.clamp(failures - 1L, 0, DOUBLINGS);
        long full = first.toMillis() << doublings;
        if (full > most.toMillis() || full < 0) {
            full = most.toMillis();
        }
        long half = Math.max(1, full / 2);
        return Duration.ofMillis(half + random.nextLong(half + 1));
    }

    /** Likewise, but not before the server said that it wants to be asked again. */
    public Duration after(int failures, @Nullable Duration retryAfter, RandomGenerator random) {
        Duration own = after(failures, random);
        // Who was told the same moment as many others comes a little later than it.
        return retryAfter == null || retryAfter.compareTo(own) < 0
                ? own
                : retryAfter.plus(Duration.ofMillis(random.nextLong(1 + retryAfter.toMillis() / 4)));
    }
}
