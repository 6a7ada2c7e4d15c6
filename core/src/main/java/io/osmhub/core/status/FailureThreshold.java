package io.osmhub.core.status;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * Decides when a transient failure is reported: after 3 failed attempts or 10 s, whichever is first, so that one short
 * failure changes no condition. A success resets it. Immutable.
 *
 * @param since first of the consecutive failures; null if the last attempt succeeded
 */
public record FailureThreshold(int failures, @Nullable Instant since) {
    public static final FailureThreshold NO_FAILURES = new FailureThreshold(0, null);

    private static final int TRIES = 3;
    private static final Duration TIME = Duration.ofSeconds(10);

    public FailureThreshold recordFailure(Instant now) {
        return new FailureThreshold(failures + 1, since == null ? now : since);
    }

    public boolean isReached(Instant now) {
        return since != null && (failures >= TRIES || !now.isBefore(since.plus(TIME)));
    }

    /** When it will be reached without a success; null if the last attempt succeeded. */
    public @Nullable Instant deadline() {
        return since == null ? null : since.plus(TIME);
    }
}
