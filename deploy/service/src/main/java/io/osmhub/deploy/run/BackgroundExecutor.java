package io.osmhub.deploy.run;

import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.RejectedExecutionException;

/**
 * Runs tasks that need no reply. Drops them after the threads were shut down: timers and connections still submit some then, and
 * whatever process follows continues from the clusters.
 */
record BackgroundExecutor(ExecutorService threads) implements Executor {
    @Override
    public void execute(Runnable task) {
        try {
            threads.execute(task);
        } catch (RejectedExecutionException e) {
            if (!threads.isShutdown()) {
                throw e;
            }
        }
    }
}
