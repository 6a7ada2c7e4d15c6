package io.osmhub.core.template;

import io.osmhub.core.golang.Environment;
import io.osmhub.core.golang.LimitExceeded;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.ZoneId;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * The environment of one execution: hands out time and randomness, and ends the execution when a limit is reached. Time
 * stands still in it, so that the files of one configuration agree on it. For one thread.
 */
public final class Sandbox implements Environment {
    /** Makes a sandbox for each execution. Safe for use by many threads if its sources are. */
    public record Factory(
            Limits limits, InstantSource clock, ZoneId zone, RandomGenerator random, LongSupplier nanoTime) {
        public Sandbox open() {
            return new Sandbox(this, null);
        }

        /**
         * Sandboxes for all parts of one rendering: every file has the limits, and all together have
         * {@link Limits#FILES_PER_RENDERING} times as much, so that a profile of many files cannot take that many times as long.
         * For one thread.
         */
        public Supplier<Sandbox> rendering() {
            Total total = new Total(nanoTime.getAsLong());
            return () -> {
                if (total.latest != null) {
                    total.latest.addToTotal();
                }
                total.latest = new Sandbox(this, total);
                return total.latest;
            };
        }
    }

    /** What the files of one rendering have used until now. */
    private static final class Total {
        final long startNanos;
        long steps;
        long outputBytes;
        /** The one in use; what it has used in its file is not yet counted here. */
        @Nullable Sandbox latest;

        Total(long startNanos) {
            this.startNanos = startNanos;
        }
    }

    /** Reading the clock costs about as much as this many steps would if it were done at each. */
    private static final int STEPS_BETWEEN_CLOCK_READS = 1_000;

    private final Factory factory;
    /** Null for a rendering of its own. */
    private final @Nullable Total total;

    private final Limits limits;
    private final Instant now;
    private final long maxValueBytes;
    private final long maxNanos;

    private long steps;
    private long valueBytes;
    private long outputBytes;
    private int depth;
    private long startNanos;
    private long nextClockRead;

    private Sandbox(Factory factory, @Nullable Total total) {
        this.factory = factory;
        this.total = total;
        this.limits = factory.limits();
        this.now = factory.clock().instant();
        this.maxValueBytes = Math.multiplyExact(limits.outputBytes(), (long) Limits.VALUES_PER_OUTPUT);
        this.maxNanos = limits.time().toNanos();
        nextFile();
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
        addToTotal();
        // What all files together have used is told as this one begins to do something: a failure needs the file that
        // it is in.
        nextClockRead = total == null ? STEPS_BETWEEN_CLOCK_READS : 0;
        steps = 0;
        valueBytes = 0;
        outputBytes = 0;
        depth = 0;
        startNanos = factory.nanoTime().getAsLong();
    }

    private void addToTotal() {
        if (total != null) {
            total.steps += steps;
            total.outputBytes += outputBytes;
        }
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

    private void checkTime() {
        long now = factory.nanoTime().getAsLong();
        if (now - startNanos > maxNanos) {
            throw new LimitExceeded("longer than " + duration(limits.time()) + " (limit render.timeLimit)");
        }
        if (total != null) {
            checkTotal(total, now);
        }
    }

    private void checkTotal(Total used, long now) {
        int times = Limits.FILES_PER_RENDERING;
        String each = " (" + times + " times the limit render.";
        if (now - used.startNanos > times * maxNanos) {
            throw new LimitExceeded("all files together take longer than "
                    + duration(limits.time().multipliedBy(times)) + each + "timeLimit)");
        }
        if (used.steps + steps > times * limits.steps()) {
            throw new LimitExceeded(
                    "all files together take more than " + times * limits.steps() + " steps" + each + "stepLimit)");
        }
        if (used.outputBytes + outputBytes > times * limits.outputBytes()) {
            throw new LimitExceeded("all files together have more than " + size(times * limits.outputBytes())
                    + " of output" + each + "outputLimit)");
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
