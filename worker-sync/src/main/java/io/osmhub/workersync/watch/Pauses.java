package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Backoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** How long a list or watch waits before it is tried again, by why it failed. */
final class Pauses {
    private static final Backoff BROKEN = new Backoff(Duration.ofMillis(250), Duration.ofSeconds(30));
    private static final Backoff ANSWERED = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60));
    /** A kind that is not there yet: asked for often enough that it is noticed soon. */
    private static final Backoff NOT_SERVED = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

    /** A right that was granted is noticed within a minute; a credential that was mended comes with another connection. */
    private static final Backoff FORBIDDEN = new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(1));

    private static final Backoff UNAUTHORIZED = new Backoff(Duration.ofMinutes(1), Duration.ofMinutes(5));

    private static final Backoff TLS = new Backoff(Duration.ofSeconds(2), Duration.ofSeconds(60));
    /** Too much, or something else than objects: costs time to read, and is seldom different the next time. */
    private static final Backoff UNREADABLE = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(60));

    private static final Backoff SPINNING = new Backoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private Pauses() {}

    /**
     * @param failures in a row, this one included
     * @param optional a kind that the API server may never serve
     */
    static Duration after(ApiFailure failure, int failures, boolean optional, RandomGenerator random) {
        Backoff backoff =
                switch (failure.why()) {
                    case ANSWERED -> answered(failure, optional);
                    case TLS -> TLS;
                    case UNREADABLE -> UNREADABLE;
                    case NOT_RESOLVED, NO_CONNECTION, TIMED_OUT, CLOSED -> BROKEN;
                };
        return backoff.after(failures, failure.retryAfter(), random);
    }

    private static Backoff answered(ApiFailure failure, boolean optional) {
        return switch (failure.code()) {
            case 401 -> UNAUTHORIZED;
            case 403 -> FORBIDDEN;
            case 404 -> optional ? FORBIDDEN : NOT_SERVED;
            case 410 -> SPINNING;
            default -> ANSWERED;
        };
    }

    /** A watch has ended at once so many times more than can be chance. */
    static Duration afterShortLives(int count, RandomGenerator random) {
        return SPINNING.after(count, random);
    }
}
