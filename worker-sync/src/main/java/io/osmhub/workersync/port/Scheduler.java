package io.osmhub.workersync.port;

import java.time.Duration;
import java.time.Instant;

/** The hub's clock and timers; tests replace it with virtual time. */
public interface Scheduler {
    Instant now();

    /** Monotonic; for durations. */
    long nanoTime();

    /** Runs a task once, not before the delay has passed. The task must not block. */
    ScheduledTask schedule(Duration delay, Runnable task);

    interface ScheduledTask {
        /** Prevents the task from starting; does not interrupt a running one. */
        void cancel();
    }
}
