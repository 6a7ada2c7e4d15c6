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

    private static final Comparator<TenantTasks> BY_TIME =
            Comparator.comparingLong((TenantTasks tasks) -> tasks.usedNanos).thenComparingLong(tasks -> tasks.turn);

    private final Executor executor;
    private final int maxParallel;
    private final int maxPerTenant;
    private final LongSupplier nanoTime;

    private final Object lock = new Object();
    /** Tenants that have rendered since all were idle. */
    private final Map<String, TenantTasks> tasksByTenant = new HashMap<>();

    /** Tenants that may start one. */
    private final NavigableSet<TenantTasks> startableTasks = new TreeSet<>(BY_TIME);

    private int running;
    private long turns;
    /** Used time of the last started tenant, at its start. */
    private long frontNanos;

    /** One tenant's renderings. */
    private static final class TenantTasks {
        private final Queue<Runnable> waitingQueue = new ArrayDeque<>();
        /** Breaks ties in turn order. */
        private long turn;

        private int running;
        private long usedNanos;

        boolean isIdle() {
            return waitingQueue.isEmpty() && running == 0;
        }
    }

    /**
     * @param executor starts a rendering; tests run it inline
     * @param maxParallel concurrent renderings; one tenant gets one less, but at least one
     * @param nanoTime monotonic clock
     */
    public RenderExecutor(Executor executor, int maxParallel, LongSupplier nanoTime) {
        this.executor = executor;
        this.maxParallel = maxParallel;
        this.maxPerTenant = Math.max(1, maxParallel - 1);
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
            TenantTasks tasks = tasksByTenant.get(tenant);
            return tasks == null ? 0 : tasks.waitingQueue.size();
        }
    }

    /** Queues a task. Must not block. */
    public void submit(String tenant, Runnable task) {
        synchronized (lock) {
            TenantTasks tasks = tasksByTenant.computeIfAbsent(tenant, any -> new TenantTasks());
            startableTasks.remove(tasks);
            if (tasks.isIdle()) {
                tasks.usedNanos = Math.max(tasks.usedNanos, frontNanos);
                tasks.turn = turns++;
            }
            tasks.waitingQueue.add(task);
            addIfStartable(tasks);
        }
        startTasks();
    }

    private void addIfStartable(TenantTasks tasks) {
        if (!tasks.waitingQueue.isEmpty() && tasks.running < maxPerTenant) {
            startableTasks.add(tasks);
        }
    }

    private void startTasks() {
        List<Runnable> starts = new ArrayList<>();
        synchronized (lock) {
            while (running < maxParallel && !startableTasks.isEmpty()) {
                TenantTasks next = startableTasks.removeFirst();
                frontNanos = Math.max(frontNanos, next.usedNanos);
                Runnable task = next.waitingQueue.remove();
                running++;
                next.running++;
                addIfStartable(next);
                starts.add(() -> run(next, task));
            }
        }
        starts.forEach(executor::execute);
    }

    private void run(TenantTasks tasks, Runnable task) {
        long start = nanoTime.getAsLong();
        try {
            task.run();
        } finally {
            synchronized (lock) {
                startableTasks.remove(tasks);
                running--;
                tasks.running--;
                tasks.usedNanos += nanoTime.getAsLong() - start;
                tasks.turn = turns++;
                addIfStartable(tasks);
                if (running == 0 && startableTasks.isEmpty()) {
                    tasksByTenant.clear();
                } else if (tasks.isIdle() && tasks.usedNanos <= frontNanos) {
                    tasksByTenant.values().remove(tasks);
                }
            }
            startTasks();
        }
    }
}
