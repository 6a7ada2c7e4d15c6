package io.osmhub.api.access;

import java.time.Duration;
import java.util.Map;
import java.util.function.LongSupplier;

/** A token bucket per caller. Bounded: evicts the least recently seen caller, who restarts with a full bucket. Thread-safe. */
public final class CallerRateLimiter {
    private static final int REMEMBERED = 20_000;
    private static final double NANOS_PER_MINUTE = 60e9;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int WINDOW_SECONDS = 60;

    private final LongSupplier nanoTime;
    private final Map<String, Bucket> buckets = new LeastRecentlyUsedMap<>(REMEMBERED);
    private volatile CallerRateLimit limit;

    /** @param burst requests that may be sent at once */
    public record CallerRateLimit(int requestsPerMinute, int burst) {}

    private static final class Bucket {
        private double left;
        private long filledAt;
    }

    /**
     * Result for one request.
     *
     * @param remaining requests that may be sent at once now
     * @param reset time until the bucket is full again
     * @param retryAfter zero if the request is allowed
     */
    public record RateLimitDecision(
            boolean allowed, int remaining, Duration reset, Duration retryAfter, CallerRateLimit limit) {
        /** Value of the header {@code RateLimit}. */
        public String limitHeader() {
            return "\"caller\";r=" + remaining + ";t=" + reset.toSeconds();
        }

        /** Value of the header {@code RateLimit-Policy}. */
        public String policyHeader() {
            return "\"caller\";q=" + limit.requestsPerMinute() + ";w=" + WINDOW_SECONDS;
        }
    }

    public CallerRateLimiter(CallerRateLimit limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
    }

    /** Takes effect immediately. */
    public void limit(CallerRateLimit other) {
        limit = other;
    }

    /** Uncounts a request. */
    void refund(String caller) {
        synchronized (buckets) {
            Bucket bucket = buckets.get(caller);
            if (bucket != null) {
                bucket.left = Math.min(limit.burst(), bucket.left + 1);
            }
        }
    }

    /** Counts a request of a caller. */
    public RateLimitDecision tryAcquire(String caller) {
        CallerRateLimit now = limit;
        double perNano = now.requestsPerMinute() / NANOS_PER_MINUTE;
        synchronized (buckets) {
            long at = nanoTime.getAsLong();
            Bucket bucket = buckets.get(caller);
            if (bucket == null) {
                bucket = new Bucket();
                bucket.left = now.burst();
                buckets.put(caller, bucket);
            } else {
                bucket.left = Math.min(now.burst(), bucket.left + (at - bucket.filledAt) * perNano);
            }
            bucket.filledAt = at;
            boolean allowed = bucket.left >= 1;
            if (allowed) {
                bucket.left -= 1;
            }
            Duration reset = seconds((now.burst() - bucket.left) / perNano);
            Duration wait = allowed ? Duration.ZERO : seconds((1 - bucket.left) / perNano);
            return new RateLimitDecision(allowed, (int) bucket.left, reset, wait, now);
        }
    }

    private static Duration seconds(double nanos) {
        return Duration.ofSeconds((long) Math.ceil(nanos / NANOS_PER_SECOND));
    }
}
