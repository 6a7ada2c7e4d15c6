package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.port.Timers;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What a {@link ListWatch} runs on.
 *
 * @param waiting runs what waits for answers: a virtual thread for each
 * @param memory for what is kept of the objects of all worker clusters
 * @param random spreads what would else happen at one moment; need not be secure, must be safe for many threads
 */
public record Surroundings(Timers timers, Executor waiting, RandomGenerator random, MemoryBudget memory) {
    /** Without a bound for memory: for one cluster, which is the operator's own. */
    public Surroundings(Timers timers, Executor waiting, RandomGenerator random) {
        this(timers, waiting, random, MemoryBudget.unlimited());
    }
}
