package io.osmhub.workersync.queue;

import io.osmhub.core.problem.Actor;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** What is to follow a run of a key. */
public sealed interface Next {
    /** Nothing until something changes; failures before are forgotten. */
    record Done() implements Next {}

    /** Again after a while, without anything being wrong. */
    record Later(Duration delay) implements Next {}

    /**
     * It failed: again by the policy of who has to act, later each time. A tenant's mistake is not tried again before an
     * input changes.
     *
     * @param retryAfter what a server asked for; null when it did not
     */
    record Retry(Actor actor, @Nullable Duration retryAfter) implements Next {}
}
