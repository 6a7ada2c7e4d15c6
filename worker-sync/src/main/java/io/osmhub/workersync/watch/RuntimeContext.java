package io.osmhub.workersync.watch;

import io.osmhub.workersync.apiserver.MemoryBudget;
import io.osmhub.workersync.port.Scheduler;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;

/**
 * What a {@link ListWatch} runs on.
 *
 * @param blockingExecutor runs blocking tasks, on a virtual thread each
 * @param memory budget for cached objects of all worker clusters
 * @param random spreads simultaneous actions; need not be secure, must be thread-safe
 * @param unreadable receives the objects that cannot be read
 */
public record RuntimeContext(
        Scheduler scheduler,
        Executor blockingExecutor,
        RandomGenerator random,
        MemoryBudget memory,
        UnreadableObjects unreadable) {
    /** Unreadable objects are only logged. */
    public RuntimeContext(Scheduler timers, Executor waiting, RandomGenerator random, MemoryBudget memory) {
        this(timers, waiting, random, memory, new UnreadableObjects(key -> {}));
    }

    /** Without a memory limit, for the operator's own cluster. */
    public RuntimeContext(Scheduler timers, Executor waiting, RandomGenerator random) {
        this(timers, waiting, random, MemoryBudget.unlimited());
    }

    public RuntimeContext reportingTo(UnreadableObjects other) {
        return new RuntimeContext(scheduler, blockingExecutor, random, memory, other);
    }
}
