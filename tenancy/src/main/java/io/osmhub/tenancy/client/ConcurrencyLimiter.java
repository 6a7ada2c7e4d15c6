package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Limits the concurrent requests to one API server, over all tenants that share it. Unlimited until it responds 429: then as many
 * as it accepted, at most three quarters, growing with each round of responses; far fewer above that, since each rejected request
 * delays its sender. If it rejects even the minimum, all tenants wait as long as it asks for, up to a limit; then one request is
 * sent at a time until one is accepted. Thread-safe; blocks, so call it only on virtual threads.
 *
 * <p>A request rejected with 429 has had no effect. It is therefore retried here, which is cheaper than another run.
 */
final class ConcurrencyLimiter {
    static final int FEWEST = 2;
    /** Requests waiting for one server, including those in their own pause. */
    static final int MOST_WAITING = 64;
    /** Other tenants wait at most this long for one tenant's 429. */
    static final Duration LONGEST_PAUSE = Duration.ofSeconds(10);

    private static final double LESS = 0.75;
    private static final double ROUNDS_UNTIL_ONE_MORE = 4;
    private static final double ROUNDS_BEYOND = 32;
    private static final Duration USUAL_PAUSE = Duration.ofSeconds(1);
    private static final Duration FORGOTTEN_AFTER = Duration.ofMinutes(1);

    private final Semaphore places = new Semaphore(MOST_WAITING);
    private final Semaphore allPlaces;
    private final Duration longestPause;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition changed = lock.newCondition();

    // Guarded by the lock.
    private double limit = Double.POSITIVE_INFINITY;
    private int underWay;
    private int waiting;
    private int users;
    /** Requests sent before the limit was last lowered do not count for the new one. */
    private long lowerings;

    /** Requests in progress when the limit was last lowered: their number, and how many were accepted. */
    private double atOnce;

    private double taken = Double.POSITIVE_INFINITY;

    private long refusedAt;
    private long openAt = System.nanoTime();
    /** Nanoseconds between requests while the server rejects the minimum; else 0. */
    private long pause;

    /**
     * @param allPlaces limits requests waiting for any server; a waiting run is unavailable to other tenants
     * @param longestPause for tenants that were not rejected themselves
     */
    ConcurrencyLimiter(Semaphore allPlaces, Duration longestPause) {
        this.allPlaces = allPlaces;
        this.longestPause = longestPause;
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
        long end = System.nanoTime() + patience.toNanos();
        ApiFailure refusal = null;
        while (true) {
            long lowered = enter(end, refusal);
            refusal = null;
            try {
                return attempt.send();
            } catch (ApiFailure failure) {
                if (failure.code() != 429) {
                    throw failure;
                }
                refusal = failure;
            } finally {
                left(refusal, lowered);
            }
            pause(refusal, end);
        }
    }

    private long enter(long end, @Nullable ApiFailure refusal) throws ApiFailure {
        lock.lock();
        try {
            forget();
            // Waiting requests go first.
            if (waiting > 0 || !canSend()) {
                awaitTurn(end, refusal);
            }
            underWay++;
            if (pause > 0) {
                close(pause);
            }
            return lowerings;
        } finally {
            signal();
            lock.unlock();
        }
    }

    private void awaitTurn(long end, @Nullable ApiFailure refusal) throws ApiFailure {
        takePlace(refusal);
        waiting++;
        try {
            do {
                await(end, refusal);
            } while (!canSend());
        } finally {
            waiting--;
            leavePlace();
        }
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

    private void leavePlace() {
        allPlaces.release();
        places.release();
    }

    private void signal() {
        if (canSend()) {
            changed.signal();
        }
    }

    int waiting() {
        lock.lock();
        try {
            return waiting;
        } finally {
            lock.unlock();
        }
    }

    private boolean canSend() {
        return underWay < limit && openAt - System.nanoTime() <= 0;
    }

    @SuppressWarnings("WaitNotInLoop") // the caller loops
    private void await(long end, @Nullable ApiFailure refusal) throws ApiFailure {
        long now = System.nanoTime();
        if (end - now <= 0) {
            throw refusalOr(refusal);
        }
        long untilOpen = openAt - now;
        try {
            changed.awaitNanos(untilOpen > 0 ? Math.min(untilOpen, end - now) : end - now);
        } catch (InterruptedException e) {
            throw interrupted();
        }
    }

    /** Not the response to another tenant: its message and its time are that tenant's. */
    private static ApiFailure refusalOr(@Nullable ApiFailure own) {
        return own != null
                ? own
                : new ApiFailure(
                        ApiFailureKind.ANSWERED,
                        429,
                        "TooManyRequests",
                        "not sent: the API server rejects the hub's requests with 429",
                        USUAL_PAUSE);
    }

    private void left(@Nullable ApiFailure refusal, long lowered) {
        lock.lock();
        try {
            int sent = underWay--;
            if (refusal == null) {
                limit += 1 / ((limit < taken ? ROUNDS_UNTIL_ONE_MORE : ROUNDS_BEYOND) * limit);
                if (lowered == lowerings) {
                    open();
                }
            } else {
                refused(refusal, sent, lowered);
            }
            signal();
        } finally {
            lock.unlock();
        }
    }

    private void refused(ApiFailure refusal, int sent, long lowered) {
        refusedAt = System.nanoTime();
        if (lowered == lowerings) {
            lowerings++;
            atOnce = Math.min(limit, sent);
            taken = atOnce;
        }
        if (lowered >= lowerings - 1) {
            taken = Math.max(FEWEST, taken - 1);
            limit = Math.max(FEWEST, Math.min(limit, Math.min(taken, atOnce * LESS)));
        }
        if (limit <= FEWEST) {
            close(Math.min(asked(refusal).toNanos(), longestPause.toNanos()));
        }
    }

    private void close(long nanos) {
        pause = nanos;
        openAt = System.nanoTime() + nanos;
        // Some wait for an earlier time, or only for a response.
        changed.signalAll();
    }

    private void open() {
        if (pause > 0) {
            pause = 0;
            openAt = System.nanoTime();
        }
    }

    private void forget() {
        if (limit != Double.POSITIVE_INFINITY && System.nanoTime() - refusedAt > FORGOTTEN_AFTER.toNanos()) {
            limit = Double.POSITIVE_INFINITY;
            open();
            changed.signalAll();
        }
    }

    private static Duration asked(ApiFailure refusal) {
        return Objects.requireNonNullElse(refusal.retryAfter(), USUAL_PAUSE);
    }

    /** Adds up to 25 % jitter so that throttled clients do not retry together. */
    private void pause(ApiFailure refusal, long end) throws ApiFailure {
        long nanos = asked(refusal).toNanos();
        nanos += ThreadLocalRandom.current().nextLong(1 + nanos / 4);
        if (end - System.nanoTime() < nanos) {
            throw refusal;
        }
        takePlace(refusal);
        try {
            Thread.sleep(Duration.ofNanos(nanos));
        } catch (InterruptedException e) {
            throw interrupted();
        } finally {
            leavePlace();
        }
    }

    private static ApiFailure interrupted() {
        Thread.currentThread().interrupt();
        return ApiFailure.withoutResponse(ApiFailureKind.CLOSED, "cancelled by the hub");
    }
}
