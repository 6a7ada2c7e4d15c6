package io.osmhub.core.golang.text;

import io.osmhub.core.golang.ExecutionEnvironment;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.random.RandomGenerator;

/** Printing outside of templates: without limits. Text methods need neither clock nor randomness. */
enum UnlimitedEnvironment implements ExecutionEnvironment {
    INSTANCE;

    @Override
    public Instant now() {
        return Instant.EPOCH;
    }

    @Override
    public ZoneId zone() {
        return ZoneOffset.UTC;
    }

    @Override
    public RandomGenerator random() {
        throw new UnsupportedOperationException("printing needs no random numbers");
    }

    @Override
    public void charge(long steps, long bytes) {
        // Nothing is limited.
    }

    @Override
    public void chargeOutput(long bytes) {
        // Nothing is limited.
    }

    @Override
    public void enterLevel() {
        // Nothing is limited.
    }

    @Override
    public void leaveLevel() {
        // Nothing is limited.
    }

    @Override
    public void checkTimeLimit() {}

    @Override
    public void startFile() {
        // Nothing is limited.
    }
}
