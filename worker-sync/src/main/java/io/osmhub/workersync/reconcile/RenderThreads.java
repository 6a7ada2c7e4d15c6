package io.osmhub.workersync.reconcile;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Where rendering runs: a few platform threads, because it needs a deep stack and only computes, so that more at a time than
 * there are cores would finish none sooner.
 */
public final class RenderThreads {
    /** Templates may nest deeply; the sandbox limits the depth to what fits in here. */
    private static final long STACK_BYTES = 4L << 20;

    private static final long IDLE_SECONDS = 30;

    private final Executor executor;

    /** @param executor runs a rendering; a test gives one that runs it at once */
    public RenderThreads(Executor executor) {
        this.executor = executor;
    }

    /** So many threads, which end when there is nothing to do. */
    public static RenderThreads start(int threads) {
        ThreadFactory factory = task -> {
            Thread thread = new Thread(null, task, "render", STACK_BYTES);
            thread.setDaemon(true);
            return thread;
        };
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
        return new RenderThreads(pool);
    }

    /** Computes it on one of the threads and waits for it. What it throws is thrown here. */
    public <T> T call(Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, executor).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof RuntimeException failure) {
                throw failure;
            }
            if (e.getCause() instanceof Error error) {
                throw error;
            }
            throw e;
        }
    }
}
