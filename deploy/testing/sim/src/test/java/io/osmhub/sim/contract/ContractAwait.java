package io.osmhub.sim.contract;

import java.time.Duration;
import java.util.function.BooleanSupplier;
import org.awaitility.Awaitility;

/** Waits for a condition with a generous limit. */
public final class ContractAwait {
    private static final Duration LIMIT = Duration.ofSeconds(30);

    private ContractAwait() {}

    /** Returns as soon as the condition holds; fails after half a minute. */
    public static void until(String what, BooleanSupplier condition) {
        Awaitility.await(what)
                .pollInSameThread()
                .pollInterval(Duration.ofMillis(20))
                .atMost(LIMIT)
                .until(condition::getAsBoolean);
    }
}
