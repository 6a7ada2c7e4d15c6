package io.osmhub.tenancy.client;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/**
 * Limits the concurrent requests to one API server, over all tenants that share it. After a 429 all of them wait as long as the
 * server asks for, up to a limit, and each rejected request is one less at a time afterwards: otherwise all that waited would be
 * sent at once when the pause ends, and be rejected again. Thread-safe; blocks, so call it only on virtual threads.
 *
 * <p>A request rejected with 429 has had no effect. It is therefore retried here, which is cheaper than another run.
 */
final class ConcurrencyLimiter {
    /** Most requests under way; far fewer than the 200 writes and 400 reads that kube-apiserver accepts by default. */
    static final int CONCURRENT = 64;
    /** Without a rejection for this long, one more request may be under way. */
    static final Duration GROWTH_INTERVAL = Duration.ofSeconds(1);
    /** Requests waiting for one server, including those in their own pause. */
    static final int MOST_WAITING = 64;
    /** Other tenants wait at most this long for one tenant's 429. */
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private static final Duration USUAL_PAUSE = Duration.ofSeconds(1);
    /** Some servers ask for none. */
    private static final Duration SHORTEST_PAUSE = Duration.ofMillis(100);

    private final ReducibleSemaphore permits = new ReducibleSemaphore();
    private final Semaphore places = new Semaphore(MOST_WAITING);
    private final Semaphore allPlaces;
    private final Duration longestPause;
    private final AtomicLong openAt;
    // Guarded by this.
    private int limit = CONCURRENT;
    /** Of the limit, also without an effect. */
    private long lastGrowthNanos;

    private int users;

    /** Permits may be negative, after which the next ones to be released are not available. */
    private static final class ReducibleSemaphore extends Semaphore {
        private static final long serialVersionUID = 1L;

        ReducibleSemaphore() {
            super(CONCURRENT, true);
        }

        void reduce() {
            reducePermits(1);
        }
    }

    /**
     * @param allPlaces limits requests waiting for any server; a waiting run is unavailable to other tenants
     * @param longestPause for tenants that were not rejected themselves
     */
    ConcurrencyLimiter(Semaphore allPlaces, Duration longestPause) {
        this.allPlaces = allPlaces;
        this.longestPause = longestPause;
        this.openAt = new AtomicLong(System.nanoTime() - 2 * longestPause.toNanos());
        this.lastGrowthNanos = System.nanoTime();
    }

    /** Sends a request once. */
    @FunctionalInterface
    interface RequestAttempt<T> {
        T send() throws ApiFailure;
    }

    /** Adds a client of the server. Guarded by the caller, as is {@link #leave}. */
    ConcurrencyLimiter join() {
        users++;
        return this;
    }

    /** Null for the last one. */
    @Nullable ConcurrencyLimiter leave() {
        return --users == 0 ? null : this;
    }

    /**
     * Sends the request when the server has capacity, and again after a 429.
     *
     * @param patience maximum total wait
     * @throws ApiFailure the last 429, or a failure of the hub's own if there was no capacity in time; any other failure
     *     immediately
     */
    <T> T send(RequestAttempt<T> attempt, Duration patience) throws ApiFailure {
        long notBefore = System.nanoTime();
        long end = notBefore + patience.toNanos();
        ApiFailure refusal = null;
        while (true) {
            acquire(notBefore, end, refusal);
            try {
                return attempt.send();
            } catch (ApiFailure failure) {
                if (failure.code() != 429) {
                    throw failure;
                }
                refusal = failure;
            } finally {
                grow();
                permits.release();
            }
            long asked = Math.max(
                    SHORTEST_PAUSE.toNanos(),
                    Objects.requireNonNullElse(refusal.retryAfter(), USUAL_PAUSE)
                            .toNanos());
            long now = System.nanoTime();
            long pausedUntil = now + Math.min(asked, longestPause.toNanos());
            openAt.accumulateAndGet(pausedUntil, (known, other) -> other - known > 0 ? other : known);
            shrink(pausedUntil);
            // Jitter, so that throttled clients do not retry together.
            notBefore = now + asked + ThreadLocalRandom.current().nextLong(1 + asked / 4);
            if (end - notBefore < 0) {
                throw refusal;
            }
        }
    }

    private synchronized void shrink(long pausedUntil) {
        lastGrowthNanos = pausedUntil;
        if (limit > 1) {
            limit--;
            permits.reduce();
        }
    }

    private synchronized void grow() {
        long intervals = (System.nanoTime() - lastGrowthNanos) / GROWTH_INTERVAL.toNanos();
        if (intervals > 0) {
            int more = (int) Math.min(intervals, CONCURRENT - limit);
            limit += more;
            permits.release(more);
            lastGrowthNanos += intervals * GROWTH_INTERVAL.toNanos();
        }
    }

    private void acquire(long notBefore, long end, @Nullable ApiFailure refusal) throws ApiFailure {
        if (untilOpen(notBefore) <= 0 && permits.tryAcquire()) {
            return;
        }
        takePlace(refusal);
        try {
            while (true) {
                long wait = untilOpen(notBefore);
                long left = end - System.nanoTime();
                if (left <= 0) {
                    throw refusalOr(refusal);
                }
                if (wait > 0) {
                    NANOSECONDS.sleep(Math.min(wait, left));
                } else if (permits.tryAcquire(left, NANOSECONDS)) {
                    if (untilOpen(notBefore) <= 0) {
                        return;
                    }
                    permits.release();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiFailure.withoutResponse(ApiFailureKind.CLOSED, "cancelled by the hub");
        } finally {
            allPlaces.release();
            places.release();
        }
    }

    /** Nanoseconds until the server is open to all, and to this request. */
    private long untilOpen(long notBefore) {
        long now = System.nanoTime();
        return Math.max(openAt.get() - now, notBefore - now);
    }

    private void takePlace(@Nullable ApiFailure refusal) throws ApiFailure {
        if (!places.tryAcquire()) {
            throw refusalOr(refusal);
        }
        if (!allPlaces.tryAcquire()) {
            places.release();
            throw refusalOr(refusal);
        }
    }

    synchronized int limit() {
        return limit;
    }

    int waiting() {
        return MOST_WAITING - places.availablePermits();
    }

    /** Not the response to another tenant: its message and its time are that tenant's. */
    private ApiFailure refusalOr(@Nullable ApiFailure own) {
        if (own != null) {
            return own;
        }
        if (System.nanoTime() - openAt.get() > longestPause.toNanos()) {
            return ApiFailure.withoutResponse(
                    ApiFailureKind.TIMED_OUT,
                    "not sent: " + (limit() - permits.availablePermits())
                            + " requests to this API server have no response yet");
        }
        return new ApiFailure(
                ApiFailureKind.ANSWERED,
                429,
                "TooManyRequests",
                "not sent: the API server rejects the hub's requests with 429",
                USUAL_PAUSE);
    }
}
