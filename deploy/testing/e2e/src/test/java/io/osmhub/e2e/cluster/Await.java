package io.osmhub.e2e.cluster;

import java.time.Duration;
import java.util.Optional;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import org.awaitility.Awaitility;
import org.awaitility.core.ConditionFactory;

/** Waits for what a cluster will show in a while. Limits are generous: they end a test that would wait for ever. */
public final class Await {
    /** Long enough for a loaded machine, short enough to be waited for. */
    public static final Duration LIMIT = Duration.ofMinutes(3);

    private static final Duration STEP = Duration.ofMillis(25);

    /** A wait of minutes must not use the processor that others need to end it. */
    private static final Duration LONG_STEP = Duration.ofMillis(250);

    private Await() {}

    /** Waits until something is there, and returns it. */
    public static <T> T awaitPresent(String what, Supplier<Optional<T>> look) {
        return awaitPresent(what, LIMIT, look);
    }

    /** Waits until something is there, and returns it. */
    public static <T> T awaitPresent(String what, Duration limit, Supplier<Optional<T>> look) {
        return waiting(limit).alias(what).until(look::get, Optional::isPresent).orElseThrow();
    }

    /** Waits until a condition holds. */
    public static void until(String what, BooleanSupplier condition) {
        until(what, LIMIT, condition);
    }

    /** Waits until a condition holds. */
    public static void until(String what, Duration limit, BooleanSupplier condition) {
        awaitPresent(what, limit, () -> condition.getAsBoolean() ? Optional.of(true) : Optional.empty());
    }

    /** Waits until assertions hold; the last failure is the test's when they do not. */
    public static void untilAsserted(Duration limit, Runnable assertions) {
        waiting(limit).untilAsserted(assertions::run);
    }

    /** Waits until assertions hold; the last failure is the test's when they do not. */
    public static void untilAsserted(Runnable assertions) {
        untilAsserted(LIMIT, assertions);
    }

    private static ConditionFactory waiting(Duration limit) {
        return Awaitility.await()
                .pollInSameThread()
                .pollDelay(Duration.ZERO)
                .pollInterval(limit.compareTo(LIMIT) > 0 ? LONG_STEP : STEP)
                .atMost(limit);
    }
}
