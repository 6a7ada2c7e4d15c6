package io.osmhub.workersync.reconcile;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Queue;
import java.util.TreeSet;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * Renders on a few platform threads: rendering needs a deep stack, and is CPU-bound, so that more threads than cores would not
 * help.
 *
 * <p>Threads are shared by start-time fair queueing: the tenant that used the least time goes first. No tenant gets all threads,
 * since a running rendering is interrupted only at its limit. A new or returning tenant starts at the virtual time of the last
 * start, so that idling earns no credit; earlier usage remains charged until the others have caught up. Thread-safe.
 */
public final class RenderExecutor {
    /** Templates may nest deeply; the sandbox limits the depth to fit this stack. */
    private static final long STACK_BYTES = 4L << 20;

    private static final long IDLE_SECONDS = 30;

    private final Executor executor;
    private final int most;
    private final int mostOfOne;
    private final LongSupplier nanoTime;

    private final Object lock = new Object();
    /** Tenants that wait, run, or have used more time than those that do. */
    private final Map<String, TenantRenderQueue> shares = new HashMap<>();
    /** Tenants that may start a rendering. */
    private final NavigableSet<TenantRenderQueue> ready = new TreeSet<>(TenantRenderQueue.BY_TIME);
    /** Idle tenants, forgotten once the others have used as much time. */
    private final NavigableSet<TenantRenderQueue> resting = new TreeSet<>(TenantRenderQueue.BY_TIME);

    private int running;
    private long comers;
    /** Used time of the last started tenant, at its start. */
    private long frontNanos;

    /** One tenant's renderings. Sorted by used time, so that time may change only while it is in no set. */
    private static final class TenantRenderQueue {
        static final Comparator<TenantRenderQueue> BY_TIME = Comparator.comparingLong(
                        (TenantRenderQueue share) -> share.usedNanos)
                .thenComparingLong(share -> share.number);

        final String tenant;
        final Queue<Runnable> waiting = new ArrayDeque<>();
        /** Breaks ties in turn order. */
        long number;

        int running;
        long usedNanos;

        TenantRenderQueue(String tenant) {
            this.tenant = tenant;
        }

        boolean isIdle() {
            return waiting.isEmpty() && running == 0;
        }
    }

    /**
     * @param executor starts a rendering; tests run it inline
     * @param most concurrent renderings; one tenant gets one less, but at least one
     * @param nanoTime monotonic clock
     */
    public RenderExecutor(Executor executor, int most, LongSupplier nanoTime) {
        this.executor = executor;
        this.most = most;
        this.mostOfOne = Math.max(1, most - 1);
        this.nanoTime = nanoTime;
    }

    /** Creates an executor with this many threads, which end when idle. */
    public static RenderExecutor start(int threads) {
        ThreadFactory factory = task -> {
            Thread thread = new Thread(null, task, "render", STACK_BYTES);
            thread.setDaemon(true);
            return thread;
        };
        ThreadPoolExecutor pool = new ThreadPoolExecutor(
                threads, threads, IDLE_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), factory);
        pool.allowCoreThreadTimeOut(true);
        return new RenderExecutor(pool, threads, System::nanoTime);
    }

    /**
     * Runs {@code work} on a render thread, waits for it and rethrows its exceptions.
     *
     * @param tenant to charge: a namespace, or a name shared by several callers
     */
    public <T> T call(String tenant, Supplier<T> work) {
        try {
            return CompletableFuture.supplyAsync(work, task -> submit(tenant, task))
                    .join();
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

    /** Number of queued renderings of a tenant. */
    public int waitingCount(String tenant) {
        synchronized (lock) {
            TenantRenderQueue share = shares.get(tenant);
            return share == null ? 0 : share.waiting.size();
        }
    }

    /** Queues a task. Must not block. */
    public void submit(String tenant, Runnable task) {
        synchronized (lock) {
            TenantRenderQueue share = shares.computeIfAbsent(tenant, TenantRenderQueue::new);
            dequeue(share);
            if (share.isIdle()) {
                share.usedNanos = Math.max(share.usedNanos, frontNanos);
                share.number = comers++;
            }
            share.waiting.add(task);
            place(share);
        }
        startTasks();
    }

    private void startTasks() {
        List<Runnable> starts = new ArrayList<>();
        synchronized (lock) {
            while (running < most && !ready.isEmpty()) {
                TenantRenderQueue share = ready.removeFirst();
                frontNanos = Math.max(frontNanos, share.usedNanos);
                Runnable task = share.waiting.remove();
                running++;
                share.running++;
                place(share);
                starts.add(() -> run(share, task));
            }
        }
        starts.forEach(executor::execute);
    }

    private void run(TenantRenderQueue share, Runnable task) {
        long start = nanoTime.getAsLong();
        try {
            task.run();
        } finally {
            long nanos = nanoTime.getAsLong() - start;
            synchronized (lock) {
                running--;
                dequeue(share);
                share.running--;
                share.usedNanos += nanos;
                share.number = comers++;
                place(share);
                forget();
            }
            startTasks();
        }
    }

    private void dequeue(TenantRenderQueue share) {
        ready.remove(share);
        resting.remove(share);
    }

    private void place(TenantRenderQueue share) {
        if (share.isIdle()) {
            resting.add(share);
        } else if (!share.waiting.isEmpty() && share.running < mostOfOne) {
            ready.add(share);
        }
    }

    private void forget() {
        while (!resting.isEmpty() && (running == 0 && ready.isEmpty() || resting.first().usedNanos <= frontNanos)) {
            shares.remove(resting.removeFirst().tenant);
        }
    }
}
