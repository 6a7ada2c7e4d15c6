package io.osmhub.api.preview;

import io.osmhub.api.problem.ApiProblem;
import java.time.Duration;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Lets a few previews go on at a time. They share one thread, so that more would only wait; publishing has threads of its own. */
final class Turns {
    private static final int AT_ONCE = 4;
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(2);
    private static final Duration TRY_AGAIN = Duration.ofSeconds(5);

    private final Semaphore free = new Semaphore(AT_ONCE, true);

    /** What is done in a turn. */
    @FunctionalInterface
    interface Work<T> {
        T done() throws ApiProblem;
    }

    /** @throws ApiProblem when too many others have theirs */
    <T> T take(Work<T> work) throws ApiProblem {
        try {
            if (!free.tryAcquire(LONGEST_WAIT.toMillis(), TimeUnit.MILLISECONDS)) {
                throw ApiProblem.rateLimited(TRY_AGAIN);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw ApiProblem.unavailable("the hub stops", TRY_AGAIN);
        }
        try {
            return work.done();
        } finally {
            free.release();
        }
    }
}
