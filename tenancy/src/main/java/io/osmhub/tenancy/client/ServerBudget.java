package io.osmhub.tenancy.client;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.Cause;
import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * How many requests one API server gets at a time, from all tenants that share it. Any number, until it answers 429: then what it took
 * of them, at most three quarters, and a little more with each round of answers; beyond what it took, much less, since each refused
 * request costs its sender the second or more for which the server asks. Where it refuses even the fewest, all
 * tenants wait as long as it asks for, up to a limit; then one request is sent each time, until one is not refused. Safe for use by many
 * threads; waits, so only on virtual threads.
 *
 * <p>A server that answers 429 has done nothing, whatever the request was. So it is sent again here, which is cheaper than another run
 * that collects, renders and decides again.
 */
final class ServerBudget {
    static final int FEWEST = 2;
    /** Requests that wait for one server, also for the end of their own pause. */
    static final int MOST_WAITING = 64;
    /** What one tenant was refused for longer, others may still be given. */
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
    /** Requests that were sent before the limit was last lowered say nothing about the new one. */
    private long lowerings;

    /** Of those that were under way when the limit was last lowered: how many there were, and how many were not refused. */
    private double atOnce;

    private double taken = Double.POSITIVE_INFINITY;

    private long refusedAt;
    private long openAt = System.nanoTime();
    /** Nanoseconds between two requests while the server refuses the fewest; 0 otherwise. */
    private long pause;

    /**
     * A budget without a limit yet.
     *
     * @param allPlaces for requests that wait for any server; a run that waits is not available to tenants of other servers
     * @param longestPause for those who were not refused themselves
     */
    ServerBudget(Semaphore allPlaces, Duration longestPause) {
        this.allPlaces = allPlaces;
        this.longestPause = longestPause;
    }

    /** Sends a request once. */
    @FunctionalInterface
    interface Attempt<T> {
        T send() throws ApiFailure;
    }

    /** One more client of the server. Guarded by the caller, as {@link #leave}. */
    ServerBudget join() {
        users++;
        return this;
    }

    /** Null for the last one. */
    @Nullable ServerBudget leave() {
        return --users == 0 ? null : this;
    }

    /**
     * Sends the request when the server has room for it, and again after a 429.
     *
     * @param patience how long the request may wait in all
     * @throws ApiFailure its last 429, or one of the hub's own if it was never sent, when there was no room in time; any other failure at
     *     once
     */
    <T> T send(Attempt<T> attempt, Duration patience) throws ApiFailure {
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
            // Those that wait come first.
            if (waiting > 0 || !mayGo()) {
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
            } while (!mayGo());
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
        if (mayGo()) {
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

    private boolean mayGo() {
        return underWay < limit && openAt - System.nanoTime() <= 0;
    }

    @SuppressWarnings("WaitNotInLoop") // its caller loops
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

    /** Not what the server told another tenant: neither its words nor its time are meant for this one. */
    private static ApiFailure refusalOr(@Nullable ApiFailure own) {
        return own != null
                ? own
                : new ApiFailure(
                        Cause.ANSWERED,
                        429,
                        "TooManyRequests",
                        "not sent, since the API server refuses requests of the hub with 429",
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
        // Some wait for an earlier time, or for an answer only.
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

    /** Adds up to a quarter, so that those who were refused together do not come back together. */
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
        return ApiFailure.noAnswer(Cause.CLOSED, "given up by the hub");
    }
}
