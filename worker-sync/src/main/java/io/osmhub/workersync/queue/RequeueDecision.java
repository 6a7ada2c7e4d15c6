package io.osmhub.workersync.queue;

import io.osmhub.core.problem.Actor;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What follows a run of a key. */
public sealed interface RequeueDecision {
    /** Resets the backoff; the key waits for a change. */
    record Done() implements RequeueDecision {}

    /** Runs again after a delay; not a failure. */
    record RequeueAfter(Duration delay) implements RequeueDecision {}

    /**
     * The run failed: retries with the backoff of the role that must act. A tenant's mistake is retried only when an input changes.
     *
     * @param retryAfter requested by a server; null if not
     * @param atLatest when to run in any case; null for no such time
     */
    record Retry(
            Actor actor,
            @Nullable Duration retryAfter,
            @Nullable Duration atLatest) implements RequeueDecision {
        public Retry(Actor actor, @Nullable Duration retryAfter) {
            this(actor, retryAfter, null);
        }
    }
}
