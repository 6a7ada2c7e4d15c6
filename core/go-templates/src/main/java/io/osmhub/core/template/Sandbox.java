package io.osmhub.core.template;

import io.osmhub.core.golang.ExecutionEnvironment;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import java.time.Duration;
import java.util.function.LongSupplier;

/**
 * The environment of one rendering, which it ends when a limit is reached. All files of one configuration share the limits. Not
 * thread-safe.
 */
public final class Sandbox implements ExecutionEnvironment {
    /** Creates a sandbox for each rendering. Thread-safe if {@code nanoTime}, a monotonic clock, is. */
    public record Factory(RenderLimits limits, LongSupplier nanoTime) {
        public Sandbox open() {
            return new Sandbox(this);
        }
    }

    /** Reading the clock costs about as much as this many steps. */
    private static final int STEPS_BETWEEN_CLOCK_READS = 1_000;

    private final Factory factory;
    private final RenderLimits limits;
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
        this.maxValueBytes = Math.multiplyExact(limits.outputBytes(), (long) RenderLimits.VALUES_PER_OUTPUT);
        this.maxNanos = limits.time().toNanos();
        this.startNanos = factory.nanoTime().getAsLong();
    }

    @Override
    public void startFile() {
        depth = 0;
    }

    @Override
    public void charge(long moreSteps, long moreBytes) {
        // Compared by subtraction, because a hostile count near 2^63 would overflow a sum.
        if (moreSteps > limits.steps() - steps) {
            throw new LimitExceededException("more than " + limits.steps() + " steps (limit render.stepLimit)");
        }
        if (moreBytes > maxValueBytes - valueBytes) {
            throw new LimitExceededException("more than " + size(maxValueBytes) + " of intermediate values ("
                    + RenderLimits.VALUES_PER_OUTPUT + " times the limit render.outputLimit)");
        }
        steps += moreSteps;
        valueBytes += moreBytes;
        if (steps >= nextClockRead) {
            nextClockRead = steps + STEPS_BETWEEN_CLOCK_READS;
            checkTimeLimit();
        }
    }

    @Override
    public void checkTimeLimit() {
        if (factory.nanoTime().getAsLong() - startNanos > maxNanos) {
            throw new LimitExceededException(
                    "longer than " + duration(limits.time()) + " (limit render.timeLimit)", true);
        }
    }

    @Override
    public void chargeOutput(long bytes) {
        if (bytes > limits.outputBytes() - outputBytes) {
            throw new LimitExceededException(
                    "more than " + size(limits.outputBytes()) + " of output (limit render.outputLimit)");
        }
        outputBytes += bytes;
    }

    @Override
    public void enterLevel() {
        if (depth >= limits.depth()) {
            throw new LimitExceededException(
                    "more than " + limits.depth() + " levels of templates calling templates (limit render.depthLimit)");
        }
        depth++;
    }

    @Override
    public void leaveLevel() {
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

    /**
     * Limits of one rendering: all files of a profile, including the second pass of those that read a credential; the section {@code
     * render} of the hub's configuration.
     *
     * @param outputBytes size of the rendered files; all intermediate values together may have {@link #VALUES_PER_OUTPUT} times as much
     * @param steps nodes executed, elements visited, functions called; an expensive function counts as many
     * @param depth of templates or snippets that call each other
     * @param time by a monotonic clock
     */
    public record RenderLimits(long outputBytes, long steps, int depth, Duration time) {
        public static final RenderLimits DEFAULT = new RenderLimits(4L << 20, 5_000_000, 200, Duration.ofSeconds(2));

        /** A pipeline copies its text once per function; a reasonable template makes at most twenty copies of the largest file. */
        static final int VALUES_PER_OUTPUT = 20;

        public RenderLimits {
            if (outputBytes <= 0 || steps <= 0 || depth <= 0 || time.isNegative() || time.isZero()) {
                throw new IllegalArgumentException("every limit must be above 0");
            }
        }
    }
}
