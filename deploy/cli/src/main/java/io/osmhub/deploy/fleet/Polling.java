package io.osmhub.deploy.fleet;

import java.time.Duration;
import java.time.Instant;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Waits until something is done by another program. */
public final class Polling {
    private static final Duration INTERVAL = Duration.ofMillis(250);

    private Polling() {}

    /** Checks the condition at least once; returns whether it held before the timeout. */
    public static boolean await(Duration timeout, BooleanSupplier condition) {
        return await(Instant.now().plus(timeout), condition::getAsBoolean, held -> held);
    }

    /** Reads at least once, until the value satisfies the condition or time is up; returns the value read last. */
    public static <T extends @Nullable Object> T await(Instant end, Supplier<T> read, Predicate<T> condition) {
        while (true) {
            T value = read.get();
            if (condition.test(value) || !Instant.now().isBefore(end)) {
                return value;
            }
            try {
                Thread.sleep(INTERVAL);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw CommandFailure.unreachable("interrupted");
            }
        }
    }
}
