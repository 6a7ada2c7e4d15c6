package io.osmhub.deploy.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;

/** Waits until something is done by another program. */
public final class Polling {
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private Polling() {}

    /** Checks the condition at least once; returns whether it held before the timeout. */
    public static boolean await(Duration timeout, BooleanSupplier condition) {
        Instant end = Instant.now().plus(timeout);
        while (!condition.getAsBoolean()) {
            if (!Instant.now().isBefore(end)) {
                return false;
            }
            try {
                Thread.sleep(INTERVAL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw CommandFailure.unreachable("interrupted");
            }
        }
        return true;
    }
}
