package io.osmhub.core.golang.text;

import io.osmhub.core.golang.Environment;
import java.time.Instant;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.random.RandomGenerator;

/** Printing outside of any template: nothing is limited. A value's own text needs neither clock nor chance. */
enum NoEnvironment implements Environment {
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
    public void output(long bytes) {
        // Nothing is limited.
    }

    @Override
    public void enter() {
        // Nothing is limited.
    }

    @Override
    public void leave() {
        // Nothing is limited.
    }

    @Override
    public void checkTime() {}

    @Override
    public void nextFile() {
        // Nothing is limited.
    }
}
