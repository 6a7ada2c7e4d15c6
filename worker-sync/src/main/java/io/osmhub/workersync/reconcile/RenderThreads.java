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
 * Where rendering runs: a few platform threads, because it needs a deep stack and only computes, so that more at a time than
 * there are cores would finish none sooner.
 *
 * <p>The threads are shared by time, as in start-time fair queueing: the tenant whose renderings took the least time goes first, and
 * none has all threads, since a rendering that has begun is not interrupted before its limit. A tenant that comes or returns starts at
 * the time that the one in front has used, so that idling earns nothing; what it used before stays charged until the others have used
 * as much. Safe for use by many threads.
 */
public final class RenderThreads {
    /** Templates may nest deeply; the sandbox limits the depth to what fits in here. */
    private static final long STACK_BYTES = 4L << 20;

    private static final long IDLE_SECONDS = 30;

    private final Executor executor;
    private final int most;
    private final int mostOfOne;
    private final LongSupplier nanoTime;

    private final Object lock = new Object();
    /** Of tenants that wait, run, or used more than those that do. */
    private final Map<String, Share> shares = new HashMap<>();
    /** Those that may start a rendering. */
    private final NavigableSet<Share> ready = new TreeSet<>(Share.BY_TIME);
    /** Those without any, which are forgotten once the others have used as much. */
    private final NavigableSet<Share> resting = new TreeSet<>(Share.BY_TIME);

    private int running;
    private long comers;
    /** Time that the tenant which started last had used then. */
    private long frontNanos;

    /** One tenant's renderings. In a set by its time, so that this changes only while it is in none. */
    private static final class Share {
        static final Comparator<Share> BY_TIME =
                Comparator.comparingLong((Share share) -> share.usedNanos).thenComparingLong(share -> share.number);

        final String tenant;
        final Queue<Runnable> waiting = new ArrayDeque<>();
        /** In the order of their turns, among those that used the same. */
        long number;

        int running;
        long usedNanos;

        Share(String tenant) {
            this.tenant = tenant;
        }

        boolean isIdle() {
            return waiting.isEmpty() && running == 0;
        }
    }

    /**
     * Threads of an executor.
     *
     * @param executor starts a rendering; a test gives one that runs it at once
     * @param most renderings at a time; one tenant has one less, but always one
     * @param nanoTime a clock that never goes back
     */
    public RenderThreads(Executor executor, int most, LongSupplier nanoTime) {
        this.executor = executor;
        this.most = most;
        this.mostOfOne = Math.max(1, most - 1);
        this.nanoTime = nanoTime;
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
        return new RenderThreads(pool, threads, System::nanoTime);
    }

    /**
     * Computes it on one of the threads and waits for it. What it throws is thrown here.
     *
     * @param tenant to whom the time is charged: a namespace, or another name for those who share a turn
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

    /** How many renderings of a tenant wait for their turn. */
    public int waiting(String tenant) {
        synchronized (lock) {
            Share share = shares.get(tenant);
            return share == null ? 0 : share.waiting.size();
        }
    }

    /** Runs it on one of the threads when its turn comes. Does not wait. */
    public void submit(String tenant, Runnable task) {
        synchronized (lock) {
            Share share = shares.computeIfAbsent(tenant, Share::new);
            takeOut(share);
            if (share.isIdle()) {
                share.usedNanos = Math.max(share.usedNanos, frontNanos);
                share.number = comers++;
            }
            share.waiting.add(task);
            place(share);
        }
        startSome();
    }

    private void startSome() {
        List<Runnable> starts = new ArrayList<>();
        synchronized (lock) {
            while (running < most && !ready.isEmpty()) {
                Share share = ready.removeFirst();
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

    private void run(Share share, Runnable task) {
        long start = nanoTime.getAsLong();
        try {
            task.run();
        } finally {
            long nanos = nanoTime.getAsLong() - start;
            synchronized (lock) {
                running--;
                takeOut(share);
                share.running--;
                share.usedNanos += nanos;
                share.number = comers++;
                place(share);
                forget();
            }
            startSome();
        }
    }

    private void takeOut(Share share) {
        ready.remove(share);
        resting.remove(share);
    }

    private void place(Share share) {
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
