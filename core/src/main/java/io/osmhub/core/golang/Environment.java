package io.osmhub.core.golang;

import java.time.Instant;
import java.time.ZoneId;
import java.util.random.RandomGenerator;

/**
 * All that code inside a template can reach: a clock, a random source and a budget. There is no file, no network, no
 * process environment. One instance serves one rendering on one thread.
 */
public interface Environment {
    Instant now();

    /** The local time zone. */
    ZoneId zone();

    /** Source of randomness; secure in production, seeded in tests. */
    RandomGenerator random();

    /**
     * Says that work is about to be done: {@code steps} small steps and {@code bytes} of memory for values. Called
     * before the work, so that nothing large is ever begun.
     *
     * @throws LimitExceeded when a limit would be passed; it ends the whole execution
     */
    void charge(long steps, long bytes);

    /**
     * Says that text is about to be appended to the file being rendered. Not for text that stays a value.
     *
     * @throws LimitExceeded when the files together would grow too large
     */
    void output(long bytes);

    /**
     * Goes one level down: a called template, an included snippet, a function called by a function. Every level is left
     * again with {@link #leave()}, unless an error ends the execution.
     *
     * @throws LimitExceeded when it is too deep
     */
    void enter();

    /** Goes back up one level. */
    void leave();

    /**
     * Ends the execution in the middle of work that takes long, if it has gone on for too long; {@link #charge} does so between pieces of
     * work.
     *
     * @throws LimitExceeded when the time is over
     */
    void checkTime();

    /** Begins the next file of a configuration, at the top level. Everything else counts for all files together. */
    void nextFile();
}
