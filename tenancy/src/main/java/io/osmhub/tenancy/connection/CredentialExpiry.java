package io.osmhub.tenancy.connection;

import java.time.Duration;
import java.time.Instant;

/** Determines when to warn about a credential's expiration. */
final class CredentialExpiry {
    private static final Duration NEAR = Duration.ofDays(14);

    private CredentialExpiry() {}

    static boolean isNear(Instant end, Instant now) {
        return !end.minus(NEAR).isAfter(now);
    }
}
