package io.osmhub.core.template;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.LimitExceeded;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;

/**
 * The environment of one rendering: hands out time and randomness, and ends the rendering when a limit is reached. Time stands still
 * in it, so that the files of one configuration agree on it. For one thread.
 */
public final class Sandbox implements Environment {
    /** Makes a sandbox for each rendering. Safe for use by many threads if its sources are. */
    public record Factory(
            Limits limits, InstantSource clock, ZoneId zone, RandomGenerator random, LongSupplier nanoTime) {
        public Sandbox open() {
            return new Sandbox(this);
        }
    }

    /** Reading the clock costs about as much as this many steps would if it were done at each. */
    private static final int STEPS_BETWEEN_CLOCK_READS = 1_000;

    private final Factory factory;
    private final Limits limits;
    private final Instant now;
    private final long maxValueBytes;
    private final long maxNanos;
    private final long startNanos;

    private long steps;
    private long valueBytes;
    private long outputBytes;
    private int depth;
    private long nextClockRead = STEPS_BETWEEN_CLOCK_READS;

    private Sandbox(Factory factory) {
        this.factory = factory;
        this.limits = factory.limits();
        this.now = factory.clock().instant();
        this.maxValueBytes = Math.multiplyExact(limits.outputBytes(), (long) Limits.VALUES_PER_OUTPUT);
        this.maxNanos = limits.time().toNanos();
        this.startNanos = factory.nanoTime().getAsLong();
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public ZoneId zone() {
        return factory.zone();
    }

    @Override
    public RandomGenerator random() {
        return factory.random();
    }

    @Override
    public void nextFile() {
        depth = 0;
    }

    @Override
    public void charge(long moreSteps, long moreBytes) {
        // Compared by subtraction, because a hostile count near 2^63 would overflow a sum.
        if (moreSteps > limits.steps() - steps) {
            throw new LimitExceeded("more than " + limits.steps() + " steps (limit render.stepLimit)");
        }
        if (moreBytes > maxValueBytes - valueBytes) {
            throw new LimitExceeded("more than " + size(maxValueBytes) + " of values made on the way ("
                    + Limits.VALUES_PER_OUTPUT + " times the limit render.outputLimit)");
        }
        steps += moreSteps;
        valueBytes += moreBytes;
        if (steps >= nextClockRead) {
            nextClockRead = steps + STEPS_BETWEEN_CLOCK_READS;
            checkTime();
        }
    }

    @Override
    public void checkTime() {
        if (factory.nanoTime().getAsLong() - startNanos > maxNanos) {
            throw new LimitExceeded("longer than " + duration(limits.time()) + " (limit " + Limits.BY_THE_CLOCK + ")");
        }
    }

    @Override
    public void output(long bytes) {
        if (bytes > limits.outputBytes() - outputBytes) {
            throw new LimitExceeded(
                    "more than " + size(limits.outputBytes()) + " of output (limit render.outputLimit)");
        }
        outputBytes += bytes;
    }

    @Override
    public void enter() {
        if (depth >= limits.depth()) {
            throw new LimitExceeded(
                    "more than " + limits.depth() + " levels of templates calling templates (limit render.depthLimit)");
        }
        depth++;
    }

    @Override
    public void leave() {
        depth--;
    }

    private static String size(long bytes) {
        if (bytes % (1 << 20) == 0) {
            return (bytes >> 20) + " MiB";
        }
        return bytes % (1 << 10) == 0 ? (bytes >> 10) + " KiB" : bytes + " bytes";
    }

    private static String duration(Duration time) {
        return time.toMillis() % 1000 == 0 ? time.toSeconds() + "s" : time.toMillis() + "ms";
    }
}
