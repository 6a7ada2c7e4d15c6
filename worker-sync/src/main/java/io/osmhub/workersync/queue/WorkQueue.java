package io.osmhub.workersync.queue;

import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
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
    private static final List<Urgency> RESYNC_FIRST = List.of(Urgency.RESYNC, Urgency.FRESH);
    private static final ExponentialBackoff HUB =
            new ExponentialBackoff(Duration.ofMillis(100), Duration.ofSeconds(30));
    private static final ExponentialBackoff OPERATOR =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private final Executor executor;
    private final Scheduler timers;
    private final RandomGenerator random;
    private final int most;
    private final int maxPerTenant;

    private final Object lock = new Object();
    /** Tenants with a startable key, in turn order. */
    private final SequencedSet<TenantQueue<?>> fresh = new LinkedHashSet<>();

    private final SequencedSet<TenantQueue<?>> resync = new LinkedHashSet<>();
    private final Set<TenantQueue<?>> lanes = new HashSet<>();
    private int running;
    private long turn;
    private long lastMove;

    /**
     * A queue without lanes.
     *
     * @param executor starts runs; a virtual thread for each in production
     * @param random spreads retries; must be safe for many threads
     * @param most runs at a time, over all tenants
     */
    public WorkQueue(Executor executor, Scheduler timers, RandomGenerator random, int most) {
        this(executor, timers, random, most, most);
    }

    /**
     * A queue without lanes.
     *
     * @param mostOfOne upper limit of the runs of one tenant at a time
     */
    public WorkQueue(Executor executor, Scheduler timers, RandomGenerator random, int most, int mostOfOne) {
        this.executor = executor;
        this.timers = timers;
        this.random = random;
        this.most = most;
        this.maxPerTenant = mostOfOne;
        this.lastMove = timers.nanoTime();
    }

    /** Adds a tenant; runs at most {@code mostOfIt} of its keys at a time. */
    public <K> TenantQueue<K> createTenantQueue(int mostOfIt, KeyHandler<K> run) {
        TenantQueue<K> lane = new TenantQueue<>(this, mostOfIt, run);
        synchronized (lock) {
            lanes.add(lane);
        }
        return lane;
    }

    /**
     * Number of startable keys of all tenants. Excludes delayed keys and paused tenants (without a connection), which more
     * threads would not help.
     */
    public int depth() {
        synchronized (lock) {
            return open().mapToInt(TenantQueue::waiting).sum();
        }
    }

    /** Time that the oldest of these keys has waited; zero if none. */
    public Duration oldestWaiting() {
        synchronized (lock) {
            return open().map(TenantQueue::oldestWaiting)
                    .max(Duration::compareTo)
                    .orElse(Duration.ZERO);
        }
    }

    /** How long keys have waited without any run starting or ending; zero while none waits. */
    public Duration stalled() {
        synchronized (lock) {
            Duration oldest = oldestWaiting();
            Duration still = Duration.ofNanos(timers.nanoTime() - lastMove);
            return oldest.compareTo(still) < 0 ? oldest : still;
        }
    }

    private Stream<TenantQueue<?>> open() {
        return lanes.stream().filter(lane -> !lane.isPaused());
    }

    Object lock() {
        return lock;
    }

    Scheduler timers() {
        return timers;
    }

    int maxPerTenant() {
        return maxPerTenant;
    }

    /** The actor determines when a retry makes sense; null: not without a change. */
    @Nullable Duration retryDelay(RequeueDecision.Retry retry, int failures) {
        return switch (retry.actor()) {
            case TENANT -> null;
            case OPERATOR -> OPERATOR.delayAfter(failures, retry.retryAfter(), random);
            case HUB -> HUB.delayAfter(failures, retry.retryAfter(), random);
        };
    }

    /** Updates the tenant's turns and starts what can start. */
    void onQueueChanged(TenantQueue<?> lane) {
        List<Runnable> starts = new ArrayList<>();
        synchronized (lock) {
            queueUp(lane);
            while (running < most) {
                Runnable start = nextStart();
                if (start == null) {
                    break;
                }
                starts.add(start);
                running++;
                lastMove = timers.nanoTime();
            }
        }
        starts.forEach(executor::execute);
    }

    void onRunEnded(TenantQueue<?> lane) {
        synchronized (lock) {
            running--;
            lastMove = timers.nanoTime();
        }
        onQueueChanged(lane);
    }

    void onQueueClosed(TenantQueue<?> lane) {
        synchronized (lock) {
            lanes.remove(lane);
            fresh.remove(lane);
            resync.remove(lane);
        }
    }

    private void queueUp(TenantQueue<?> lane) {
        updateTurn(lane, fresh, lane.mayStart(Urgency.FRESH));
        updateTurn(lane, resync, lane.mayStart(Urgency.RESYNC));
    }

    /** A tenant keeps an existing turn. */
    private static void updateTurn(TenantQueue<?> lane, SequencedSet<TenantQueue<?>> turns, boolean wanted) {
        if (wanted) {
            turns.add(lane);
        } else {
            turns.remove(lane);
        }
    }

    private @Nullable Runnable nextStart() {
        boolean resyncFirst = ++turn % RESYNC_TURN == 0;
        for (Urgency urgency : resyncFirst ? RESYNC_FIRST : FRESH_FIRST) {
            SequencedSet<TenantQueue<?>> turns = urgency == Urgency.FRESH ? fresh : resync;
            if (!turns.isEmpty()) {
                TenantQueue<?> lane = turns.removeFirst();
                Runnable start = lane.takeRun(urgency);
                queueUp(lane);
                return start;
            }
        }
        return null;
    }
}
