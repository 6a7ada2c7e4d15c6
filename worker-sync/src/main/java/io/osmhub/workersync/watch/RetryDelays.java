package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import java.time.Duration;
import java.util.random.RandomGenerator;

/** Delays before a failed list or watch is retried, by cause. */
final class RetryDelays {
    private static final ExponentialBackoff BROKEN =
            new ExponentialBackoff(Duration.ofMillis(250), Duration.ofSeconds(30));
    private static final ExponentialBackoff ANSWERED =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(60));
    /** A kind that is not installed yet: retried often enough to detect it soon. */
    private static final ExponentialBackoff NOT_SERVED =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(5));

    /** Detects a granted permission within a minute; a new credential comes with a new connection. */
    private static final ExponentialBackoff FORBIDDEN =
            new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(1));

    private static final ExponentialBackoff UNAUTHORIZED =
            new ExponentialBackoff(Duration.ofMinutes(1), Duration.ofMinutes(5));

    private static final ExponentialBackoff TLS = new ExponentialBackoff(Duration.ofSeconds(2), Duration.ofSeconds(60));
    /** Too large, or not Kubernetes objects: costly to read, and rarely different the next time. */
    private static final ExponentialBackoff UNREADABLE =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(60));

    private static final ExponentialBackoff SPINNING =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(30));

    private RetryDelays() {}

    /**
     * @param failures in a row, including this one
     * @param optional whether the API server may not serve the kind
     */
    static Duration delayAfter(ApiFailure failure, int failures, boolean optional, RandomGenerator random) {
        ExponentialBackoff backoff =
                switch (failure.kind()) {
                    case ANSWERED -> answered(failure, optional);
                    case TLS -> TLS;
                    case UNREADABLE -> UNREADABLE;
                    case NOT_RESOLVED, NO_CONNECTION, TIMED_OUT, CLOSED -> BROKEN;
                };
        return backoff.delayAfter(failures, failure.retryAfter(), random);
    }

    private static ExponentialBackoff answered(ApiFailure failure, boolean optional) {
        return switch (failure.code()) {
            case 401 -> UNAUTHORIZED;
            case 403 -> FORBIDDEN;
            case 404 -> optional ? FORBIDDEN : NOT_SERVED;
            case 410 -> SPINNING;
            default -> ANSWERED;
        };
    }

    /** {@code count} is the number of watches that ended at once, beyond those that may be chance. */
    static Duration delayAfterShortWatches(int count, RandomGenerator random) {
        return SPINNING.delayAfter(count, random);
    }
}
