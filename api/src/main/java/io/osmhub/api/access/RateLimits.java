package io.osmhub.api.access;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.LongSupplier;

/**
 * How many requests a caller may send: a bucket that holds a burst and fills evenly. Bounded: who was not heard of for longest is
 * forgotten, with a full bucket. Safe for use by many threads.
 */
public final class RateLimits {
    private static final int REMEMBERED = 20_000;
    private static final double NANOS_PER_MINUTE = 60e9;
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int WINDOW_SECONDS = 60;

    private final LongSupplier nanoTime;
    private final Map<String, Bucket> buckets = new LinkedHashMap<>(16, 0.75f, true) {
        private static final long serialVersionUID = 1L;

        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Bucket> eldest) {
            return size() > REMEMBERED;
        }
    };
    private volatile Limit limit;

    /** @param burst requests that may come at once */
    public record Limit(int requestsPerMinute, int burst) {}

    private static final class Bucket {
        private double left;
        private long filledAt;
    }

    /**
     * What became of one request.
     *
     * @param remaining requests that may be sent at once now
     * @param reset until the bucket is full again
     * @param retryAfter zero unless the request is one too many
     */
    public record Verdict(boolean allowed, int remaining, Duration reset, Duration retryAfter, Limit limit) {
        /** Value of the header {@code RateLimit}. */
        public String left() {
            return "\"caller\";r=" + remaining + ";t=" + reset.toSeconds();
        }

        /** Value of the header {@code RateLimit-Policy}. */
        public String policy() {
            return "\"caller\";q=" + limit.requestsPerMinute() + ";w=" + WINDOW_SECONDS;
        }
    }

    public RateLimits(Limit limit, LongSupplier nanoTime) {
        this.limit = limit;
        this.nanoTime = nanoTime;
    }

    /** Holds from now on. */
    public void limit(Limit other) {
        limit = other;
    }

    /** Takes back that a request was counted. */
    void giveBack(String caller) {
        synchronized (buckets) {
            Bucket bucket = buckets.get(caller);
            if (bucket != null) {
                bucket.left = Math.min(limit.burst(), bucket.left + 1);
            }
        }
    }

    /** Counts a request of a caller. */
    public Verdict take(String caller) {
        Limit now = limit;
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
            return new Verdict(allowed, (int) bucket.left, reset, wait, now);
        }
    }

    private static Duration seconds(double nanos) {
        return Duration.ofSeconds((long) Math.ceil(nanos / NANOS_PER_SECOND));
    }
}
