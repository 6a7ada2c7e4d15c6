package io.osmhub.tenancy.connection;

import java.util.ArrayDeque;
import java.util.Queue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Runs tasks one after the other, in order, so that their shared state needs no locks. */
final class SerialExecutor {
    private static final Logger LOG = LoggerFactory.getLogger(SerialExecutor.class);

    private final Executor executor;
    private final Queue<Runnable> queue = new ArrayDeque<>();
    private boolean running;

    SerialExecutor(Executor executor) {
        this.executor = executor;
    }

    void execute(Runnable task) {
        synchronized (queue) {
            queue.add(task);
            if (running) {
                return;
            }
            running = true;
        }
        executor.execute(this::runTasks);
    }

    private void runTasks() {
        for (Runnable task = next(); task != null; task = next()) {
            try {
                task.run();
            } catch (RuntimeException e) {
                LOG.error("Connection task failed", e);
            }
        }
    }

    private @Nullable Runnable next() {
        synchronized (queue) {
            Runnable task = queue.poll();
            running = task != null;
            return task;
        }
    }
}
