package io.osmhub.sim.http;

import java.time.Duration;
import java.util.concurrent.Executor;

/** Executes tasks one after another, now or later. */
public interface EventLoop extends Executor {
    /** Returns what cancels the task. */
    Runnable schedule(Duration delay, Runnable task);
}
