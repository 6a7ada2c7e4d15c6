package io.osmhub.core.template;

import java.time.Duration;

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

    /** Part of the message of a failure that depends on the clock: a busy machine may be its cause. */
    public static final String BY_THE_CLOCK = "render.timeLimit";

    public RenderLimits {
        if (outputBytes <= 0 || steps <= 0 || depth <= 0 || time.isNegative() || time.isZero()) {
            throw new IllegalArgumentException("every limit must be above 0");
        }
    }
}
