package io.osmhub.api.preview;

import io.osmhub.api.problem.ApiProblem;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Limits concurrent previews per caller. Previews of all callers take turns on shared threads, so one caller gains nothing from more,
 * and never blocks another. Thread-safe.
 */
final class PreviewLimiter {
    static final int OF_ONE = 2;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(5);

    private final long longestWaitNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    /** Running previews by caller. */
    private final Map<String, Integer> taken = new HashMap<>();

    PreviewLimiter() {
        this(LONGEST_WAIT);
    }

    PreviewLimiter(Duration longestWait) {
        this.longestWaitNanos = longestWait.toNanos();
    }

    /** The limited task. */
    @FunctionalInterface
    interface LimitedTask<T> {
        T done() throws ApiProblem;
    }

    /** @throws ApiProblem if the caller has too many running */
    <T> T runLimited(String caller, LimitedTask<T> work) throws ApiProblem {
        acquire(caller);
        try {
            return work.done();
        } finally {
            release(caller);
        }
    }

    private void acquire(String caller) throws ApiProblem {
        lock.lock();
        try {
            long left = longestWaitNanos;
            while (taken.getOrDefault(caller, 0) >= OF_ONE) {
                if (left <= 0) {
                    throw ApiProblem.rateLimited(
                            "this caller has " + OF_ONE + " previews in progress; wait " + TRY_AGAIN.toSeconds() + " s",
                            TRY_AGAIN);
                }
                left = ended.awaitNanos(left);
            }
            taken.merge(caller, 1, Integer::sum);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiProblem.unavailable("the hub is stopping", TRY_AGAIN);
        } finally {
            lock.unlock();
        }
    }

    private void release(String caller) {
        lock.lock();
        try {
            taken.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
