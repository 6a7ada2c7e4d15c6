package io.osmhub.api.preview;

import io.osmhub.api.problem.ApiProblem;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;

/**
 * Lets a few previews of each caller go on at a time. Those of all callers take turns on the threads of previews, so that more of one
 * caller would only wait, and another caller is never refused because of them. Safe for use by many threads.
 */
final class Turns {
    static final int OF_ONE = 2;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(5);

    private final long longestWaitNanos;
    private final ReentrantLock lock = new ReentrantLock();
    private final Condition ended = lock.newCondition();
    /** Previews that go on, by caller. */
    private final Map<String, Integer> taken = new HashMap<>();

    Turns() {
        this(LONGEST_WAIT);
    }

    Turns(Duration longestWait) {
        this.longestWaitNanos = longestWait.toNanos();
    }

    /** What is done in a turn. */
    @FunctionalInterface
    interface Work<T> {
        T done() throws ApiProblem;
    }

    /** @throws ApiProblem when the caller has too many others already */
    <T> T take(String caller, Work<T> work) throws ApiProblem {
        begin(caller);
        try {
            return work.done();
        } finally {
            end(caller);
        }
    }

    private void begin(String caller) throws ApiProblem {
        lock.lock();
        try {
            long left = longestWaitNanos;
            while (taken.getOrDefault(caller, 0) >= OF_ONE) {
                if (left <= 0) {
                    throw ApiProblem.rateLimited(
                            "this caller has " + OF_ONE + " previews under way; wait " + TRY_AGAIN.toSeconds() + " s",
                            TRY_AGAIN);
                }
                left = ended.awaitNanos(left);
            }
            taken.merge(caller, 1, Integer::sum);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiProblem.unavailable("the hub stops", TRY_AGAIN);
        } finally {
            lock.unlock();
        }
    }

    private void end(String caller) {
        lock.lock();
        try {
            taken.computeIfPresent(caller, (_, count) -> count == 1 ? null : count - 1);
            ended.signalAll();
        } finally {
            lock.unlock();
        }
    }
}
