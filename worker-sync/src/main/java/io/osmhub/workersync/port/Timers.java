package io.osmhub.workersync.port;

import java.time.Duration;
import java.time.Instant;

/** Clock and alarm of the hub. Tests bring one whose time they move themselves. */
public interface Timers {
    Instant now();

    /** Monotonic, for measuring durations. */
    long nanoTime();

    /** Runs a task once after a time. The task must not block: it hands over and returns. */
    Timer after(Duration delay, Runnable task);

    /** An alarm that is set. */
    interface Timer {
        /** The task will not start any more; one that runs goes on. */
        void cancel();
    }
}
