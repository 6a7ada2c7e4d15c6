package io.osmhub.sim.contract;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/** Waits for a condition with a generous limit. */
public final class ContractAwait {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private ContractAwait() {}

    /** Returns as soon as the condition holds; fails after half a minute. */
    public static void until(String what, BooleanSupplier condition) {
        long end = System.nanoTime() + LIMIT.toNanos();
        while (!condition.getAsBoolean()) {
            if (System.nanoTime() > end) {
                throw new AssertionError("did not happen within %s: %s".formatted(LIMIT, what));
            }
            try {
                Thread.sleep(20);
            } catch (InterruptedException interrupted) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException(interrupted);
            }
        }
    }
}
