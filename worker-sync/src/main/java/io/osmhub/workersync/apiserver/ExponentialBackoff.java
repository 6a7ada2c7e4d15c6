package io.osmhub.workersync.apiserver;

import java.time.Duration;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Exponential backoff with jitter: the delay doubles with each consecutive failure, up to {@code maxDelay}. */
public record ExponentialBackoff(Duration initialDelay, Duration maxDelay) {
    private static final int DOUBLINGS = 30;

    public ExponentialBackoff {
        if (initialDelay.isNegative() || initialDelay.isZero() || maxDelay.compareTo(initialDelay) < 0) {
            throw new IllegalArgumentException("expected 0 < initialDelay <= maxDelay");
        }
    }

    /** Returns between half and all of the exponential delay. {@code failures} counts from 1. */
    public Duration delayAfter(int failures, RandomGenerator random) {
        int doublings = Math.clamp(failures - 1L, 0, DOUBLINGS);
        long full = initialDelay.toMillis() << doublings;
        if (full > maxDelay.toMillis() || full < 0) {
            full = maxDelay.toMillis();
        }
        long half = Math.max(1, full / 2);
        return Duration.ofMillis(half + random.nextLong(half + 1));
    }

    /** As above, but waits at least {@code retryAfter}. */
    public Duration delayAfter(int failures, @Nullable Duration retryAfter, RandomGenerator random) {
        Duration own = delayAfter(failures, random);
        // Jitter, so that throttled clients do not retry together.
        return retryAfter == null || retryAfter.compareTo(own) < 0
                ? own
                : retryAfter.plus(Duration.ofMillis(random.nextLong(1 + retryAfter.toMillis() / 4)));
    }
}
