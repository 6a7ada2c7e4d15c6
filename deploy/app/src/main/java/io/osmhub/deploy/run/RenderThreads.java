package io.osmhub.deploy.run;

import java.util.concurrent.ExecutorService;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Threads for rendering: as many as there are cores, because rendering only computes, and with a stack of their own size, because
 * templates nest as deeply as their authors like.
 */
final class RenderThreads implements ThreadFactory {
    /** What the limit on nesting of templates was measured with. */
    private static final long STACK_BYTES = 4L << 20;

    private static final long IDLE_SECONDS = 30;

    private final AtomicInteger made = new AtomicInteger();

    private RenderThreads() {}

    static ExecutorService pool(int cores) {
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                cores, cores, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), new RenderThreads());
        pool.allowCoreThreadTimeOut(true);
        return pool;
    }

    @Override
    public Thread newThread(Runnable work) {
        Thread thread = new Thread(null, work, "render-" + made.incrementAndGet(), STACK_BYTES);
        thread.setDaemon(true);
        return thread;
    }
}
