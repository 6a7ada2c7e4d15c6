package io.osmhub.tenancy.client;

import java.time.Duration;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;

/** Waits for effects of another thread. */
public final class Await {
    private static final long LONGEST_NANOS = Duration.ofSeconds(30).toNanos();

    private Await() {}

    public static void until(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() - begun > LONGEST_NANOS) {
                throw new AssertionError("did not happen within 30 s");
            }
            LockSupport.parkNanos(2_000_000);
        }
    }
}
