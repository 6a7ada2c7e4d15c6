package io.osmhub.core.golang;

import java.time.Instant;
import java.time.ZoneId;
import java.util.random.RandomGenerator;

/**
 * All that code inside a template can reach: a clock, a random source and a budget. There is no file, no network, no
 * process environment. One instance serves one execution on one thread.
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
}
