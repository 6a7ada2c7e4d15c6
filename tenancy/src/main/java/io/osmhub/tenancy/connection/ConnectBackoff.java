package io.osmhub.tenancy.connection;

import io.osmhub.tenancy.connection.ConnectFailure.Kind;
import java.time.Duration;
import java.util.random.RandomGenerator;

/**
 * Delay before the next connection attempt: random between a second and a bound that doubles up to a limit, so that clusters that
 * failed together do not retry together.
 *
 * <p>The limit depends on the failure. An attempt to reach an unresponsive server is cheap, and its recovery should be noticed
 * soon: 8 s. If an operator must fix something: 5 min.
 */
final class ConnectBackoff {
    private static final Duration SHORTEST = Duration.ofSeconds(1);
    private static final Duration LONGEST = Duration.ofMinutes(5);
    private static final Duration LONGEST_FOR_SILENCE = Duration.ofSeconds(8);
    private static final Duration LONGEST_FOR_PASSING = Duration.ofSeconds(30);
    private static final Duration SHORTEST_FOR_PEOPLE = Duration.ofSeconds(30);
    private static final int MOST_DOUBLINGS = 20;

    private final RandomGenerator random;
    private int unanswered;

    ConnectBackoff(RandomGenerator random) {
        this.random = random;
    }

    /** @param failures in a row, from 1; a server that responds after an outage starts with an error, which must not wait minutes */
    Duration delayAfter(ConnectFailure failure, int failures) {
        if (failures == 1) {
            unanswered = 0;
        }
        int counted = failures;
        if (failure.kind().isUnanswered()) {
            unanswered = failures;
        } else {
            counted -= unanswered;
        }
        Duration wait = between(shortest(failure.kind()), longest(failure.kind()), counted);
        Duration asked = failure.retryAfter();
        return asked != null && asked.compareTo(wait) > 0 ? asked : wait;
    }

    private Duration between(Duration shortest, Duration longest, int failures) {
        long doubled = shortest.toMillis() << Math.min(MOST_DOUBLINGS, failures);
        long bound = Math.max(shortest.toMillis() + 1, Math.min(longest.toMillis(), doubled));
        return Duration.ofMillis(random.nextLong(shortest.toMillis(), bound));
    }

    private static Duration shortest(Kind kind) {
        return switch (kind) {
            case NO_CONNECTION, NOT_RESPONDING, NOT_RESOLVED, THROTTLED, ANSWERS_ERRORS -> SHORTEST;
            case TLS, ENDPOINT_REFUSED, OTHER_CLUSTER, LESS_PERMISSIONS -> SHORTEST_FOR_PEOPLE;
            // Repeated use of a rejected credential resembles an attack: only a new Secret is tried at once.
            case UNAUTHORIZED -> LONGEST.minusSeconds(30);
        };
    }

    private static Duration longest(Kind kind) {
        return switch (kind) {
            case NO_CONNECTION, NOT_RESPONDING -> LONGEST_FOR_SILENCE;
            case NOT_RESOLVED, THROTTLED -> LONGEST_FOR_PASSING;
            case ANSWERS_ERRORS, TLS, ENDPOINT_REFUSED, OTHER_CLUSTER, LESS_PERMISSIONS, UNAUTHORIZED -> LONGEST;
        };
    }
}
