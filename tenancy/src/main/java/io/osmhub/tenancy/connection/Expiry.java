package io.osmhub.tenancy.connection;

import java.time.Duration;
import java.time.Instant;

/** When the end of a credential is near enough to speak of it. */
final class Expiry {
    private static final Duration NEAR = Duration.ofDays(14);

    private Expiry() {}

    static boolean isNear(Instant end, Instant now) {
        return !end.minus(NEAR).isAfter(now);
    }
}
