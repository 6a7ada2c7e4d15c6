package io.osmhub.workersync.watch;

import io.osmhub.workersync.port.Timers;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What a {@link ListWatch} runs on.
 *
 * @param waiting runs what waits for answers: a virtual thread for each
 * @param random spreads what would else happen at one moment; need not be secure, must be safe for many threads
 */
public record Surroundings(Timers timers, Executor waiting, RandomGenerator random) {}
