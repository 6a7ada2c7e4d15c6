package io.osmhub.workersync.queue;

import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.SequencedSet;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.random.RandomGenerator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Runs the keys of all tenants with bounded concurrency. Tenants take turns, so that a tenant with ten thousand keys delays
 * another by at most one run. Changes take precedence over resyncs, except that every eighth turn is a resync, to prevent
 * starvation. Thread-safe.
 *
 * <p>No thread waits: adding a key or ending a run starts the next ones.
 */
public final class WorkQueue {
    private static final int RESYNC_TURN = 8;
    private static final List<Urgency> FRESH_FIRST = List.of(Urgency.FRESH, Urgency.RESYNC);
    private static final ExponentialBackoff HUB_BACKOFF =
            new ExponentialBackoff(Duration.ofMillis(100), Duration.ofSeconds(30));
    private static final ExponentialBackoff OPERATOR_BACKOFF =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private final Executor executor;
    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final int maxParallel;
    private final int maxPerTenant;

    private final Object lock = new Object();
    /** Tenants with a startable key, in turn order. */
    private final Map<Urgency, SequencedSet<TenantQueue<?>>> turns = new EnumMap<>(Urgency.class);

    private final Set<TenantQueue<?>> tenantQueues = new HashSet<>();
    private int running;
    private long turn;
    private long lastMoveNanos;

    /**
     * @param executor starts runs; a virtual thread for each in production
     * @param random spreads retries; thread-safe
     * @param maxParallel runs at a time, over all tenants
     */
    public WorkQueue(Executor executor, Scheduler scheduler, RandomGenerator random, int maxParallel) {
        this(executor, scheduler, random, maxParallel, maxParallel);
    }

    /** @param maxPerTenant upper limit of the runs of one tenant at a time */
    public WorkQueue(
            Executor executor, Scheduler scheduler, RandomGenerator random, int maxParallel, int maxPerTenant) {
        this.executor = executor;
        this.scheduler = scheduler;
        this.random = random;
        this.maxParallel = maxParallel;
        this.maxPerTenant = maxPerTenant;
        this.lastMoveNanos = scheduler.nanoTime();
        FRESH_FIRST.forEach(urgency -> turns.put(urgency, new LinkedHashSet<>()));
    }

    /** Adds a tenant; runs at most {@code tenantParallel} of its keys at a time. */
    public <K> TenantQueue<K> createTenantQueue(int tenantParallel, KeyHandler<K> keyHandler) {
        return register(new TenantQueue<>(this, tenantParallel, keyHandler));
    }

    /** As above, but runs nothing until {@link TenantQueue#start}. */
    public <K> TenantQueue<K> createTenantQueue(int tenantParallel) {
        return register(new TenantQueue<>(this, tenantParallel, null));
    }

    private <K> TenantQueue<K> register(TenantQueue<K> tenantQueue) {
        synchronized (lock) {
            tenantQueues.add(tenantQueue);
        }
        return tenantQueue;
    }

    /**
     * Number of startable keys of all tenants. Excludes delayed keys and paused tenants (without a connection), which more
     * threads would not help.
     */
    public int depth() {
        synchronized (lock) {
            return startable().mapToInt(TenantQueue::waiting).sum();
        }
    }

    /** Whether a startable key that is not a resync waits for its turn. */
    public boolean isChangeWaiting() {
        synchronized (lock) {
            return startable().anyMatch(tenantQueue -> tenantQueue.isWaiting(Urgency.FRESH));
        }
    }

    /** Time that the oldest of the startable keys has waited; zero if none. */
    public Duration oldestWaiting() {
        synchronized (lock) {
            return startable()
                    .map(TenantQueue::oldestWaiting)
                    .max(Duration::compareTo)
                    .orElse(Duration.ZERO);
        }
    }

    /** How long keys have waited without any run starting or ending; zero while none waits. */
    public Duration stalled() {
        synchronized (lock) {
            Duration oldest = oldestWaiting();
            Duration still = Duration.ofNanos(scheduler.nanoTime() - lastMoveNanos);
            return oldest.compareTo(still) < 0 ? oldest : still;
        }
    }

    private Stream<TenantQueue<?>> startable() {
        return tenantQueues.stream().filter(tenantQueue -> !tenantQueue.isPaused());
    }

    Object lock() {
        return lock;
    }

    Scheduler scheduler() {
        return scheduler;
    }

    int maxPerTenant() {
        return maxPerTenant;
    }

    /** The actor determines when a retry makes sense; null: not without a change. */
    @Nullable Duration retryDelay(RequeueDecision.Retry retry, int failures) {
        return switch (retry.actor()) {
            case TENANT -> null;
            case OPERATOR -> OPERATOR_BACKOFF.delayAfter(failures, retry.retryAfter(), random);
            case HUB -> HUB_BACKOFF.delayAfter(failures, retry.retryAfter(), random);
        };
    }

    /** Updates the tenant's turns and starts what can start. */
    void onQueueChanged(TenantQueue<?> tenantQueue) {
        List<Runnable> starts = new ArrayList<>();
        synchronized (lock) {
            updateTurns(tenantQueue);
            while (running < maxParallel) {
                Runnable start = nextStart();
                if (start == null) {
                    break;
                }
                starts.add(start);
                running++;
                lastMoveNanos = scheduler.nanoTime();
            }
        }
        starts.forEach(executor::execute);
    }

    void onRunEnded(TenantQueue<?> tenantQueue) {
        synchronized (lock) {
            running--;
            lastMoveNanos = scheduler.nanoTime();
        }
        onQueueChanged(tenantQueue);
    }

    void onQueueClosed(TenantQueue<?> tenantQueue) {
        synchronized (lock) {
            tenantQueues.remove(tenantQueue);
            turns.values().forEach(tenants -> tenants.remove(tenantQueue));
        }
    }

    /** A tenant keeps an existing turn. */
    private void updateTurns(TenantQueue<?> tenantQueue) {
        turns.forEach((urgency, tenants) -> {
            if (tenantQueue.mayStart(urgency)) {
                tenants.add(tenantQueue);
            } else {
                tenants.remove(tenantQueue);
            }
        });
    }

    private @Nullable Runnable nextStart() {
        boolean resyncFirst = ++turn % RESYNC_TURN == 0;
        for (Urgency urgency : resyncFirst ? FRESH_FIRST.reversed() : FRESH_FIRST) {
            SequencedSet<TenantQueue<?>> tenants = turns.getOrDefault(urgency, new LinkedHashSet<>());
            if (!tenants.isEmpty()) {
                TenantQueue<?> tenantQueue = tenants.removeFirst();
                Runnable start = tenantQueue.takeRun(urgency);
                updateTurns(tenantQueue);
                return start;
            }
        }
        return null;
    }
}
