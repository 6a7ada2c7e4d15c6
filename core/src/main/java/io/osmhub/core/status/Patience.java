package io.osmhub.core.status;

import java.time.Duration;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * When a failure that may pass is told: after 3 failed tries or 10 s, whichever is first. One success and it is forgotten, so that
 * one short failure changes no condition. Immutable.
 *
 * @param since first failure in a row; null when the last try succeeded
 */
public record Patience(int failures, @Nullable Instant since) {
    public static final Patience FRESH = new Patience(0, null);

    private static final int TRIES = 3;
    private static final Duration TIME = Duration.ofSeconds(10);

    public Patience failed(Instant now) {
        return new Patience(failures + 1, since == null ? now : since);
    }

    /** Whether the failure is to be told. */
    public boolean isOver(Instant now) {
        return since != null && (failures >= TRIES || !now.isBefore(since.plus(TIME)));
    }

    /** When it will be told if no success comes before; null when the last try succeeded. */
    public @Nullable Instant end() {
        return since == null ? null : since.plus(TIME);
    }
}
