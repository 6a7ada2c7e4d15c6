package io.osmhub.workersync.queue;

import io.osmhub.workersync.apiserver.Backoff;
import io.osmhub.workersync.port.Timers;
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
 * Runs the keys of all tenants, a bounded number at a time. Tenants take turns, so that one with ten thousand keys delays
 * another's one by no more than one run. What changed goes before what is only looked at again; every eighth turn is the
 * latter's, so that it never waits for ever. Safe for use by many threads.
 *
 * <p>There is no thread that waits: adding a key or ending a run starts what may start.
 */
public final class WorkQueue {
    private static final int RESYNC_TURN = 8;
    private static final List<Urgency> FRESH_FIRST = List.of(Urgency.FRESH, Urgency.RESYNC);
    private static final List<Urgency> RESYNC_FIRST = List.of(Urgency.RESYNC, Urgency.FRESH);
    private static final Backoff HUB = new Backoff(Duration.ofMillis(100), Duration.ofSeconds(30));
    private static final Backoff OPERATOR = new Backoff(Duration.ofSeconds(1), Duration.ofMinutes(5));

    private final Executor executor;
    private final Timers timers;
    private final RandomGenerator random;
    private final int most;
    private final int mostOfOne;

    private final Object lock = new Object();
    /** Lanes with a key that may start, in the order of their turns. */
    private final SequencedSet<Lane<?>> fresh = new LinkedHashSet<>();

    private final SequencedSet<Lane<?>> resync = new LinkedHashSet<>();
    private final Set<Lane<?>> lanes = new HashSet<>();
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
    public WorkQueue(Executor executor, Timers timers, RandomGenerator random, int most) {
        this(executor, timers, random, most, most);
    }

    /**
     * A queue without lanes.
     *
     * @param mostOfOne upper limit of the runs of one tenant at a time
     */
    public WorkQueue(Executor executor, Timers timers, RandomGenerator random, int most, int mostOfOne) {
        this.executor = executor;
        this.timers = timers;
        this.random = random;
        this.most = most;
        this.mostOfOne = mostOfOne;
        this.lastMove = timers.nanoTime();
    }

    /** A lane for one tenant; {@code mostOfIt} of its keys run at a time. */
    public <K> Lane<K> lane(int mostOfIt, Run<K> run) {
        Lane<K> lane = new Lane<>(this, mostOfIt, run);
        synchronized (lock) {
            lanes.add(lane);
        }
        return lane;
    }

    /**
     * Keys that wait to start, over all tenants. Those that wait for a moment in time are not among them, nor those of a lane that
     * is held, as while there is no connection: no thread would help them.
     */
    public int depth() {
        synchronized (lock) {
            return open().mapToInt(Lane::waiting).sum();
        }
    }

    /** How long the oldest of these keys has waited; zero when none waits. */
    public Duration oldest() {
        synchronized (lock) {
            return open().map(Lane::oldestWaiting).max(Duration::compareTo).orElse(Duration.ZERO);
        }
    }

    /** For how long keys have waited without any run beginning or ending; zero while none waits. */
    public Duration stalled() {
        synchronized (lock) {
            Duration oldest = oldest();
            Duration still = Duration.ofNanos(timers.nanoTime() - lastMove);
            return oldest.compareTo(still) < 0 ? oldest : still;
        }
    }

    private Stream<Lane<?>> open() {
        return lanes.stream().filter(lane -> !lane.isHeld());
    }

    Object lock() {
        return lock;
    }

    Timers timers() {
        return timers;
    }

    int mostOfOne() {
        return mostOfOne;
    }

    /** Who has to act decides how soon it is worth trying again; null: not by itself. */
    @Nullable Duration retryDelay(Next.Retry retry, int failures) {
        return switch (retry.actor()) {
            case TENANT -> null;
            case OPERATOR -> OPERATOR.after(failures, retry.retryAfter(), random);
            case HUB -> HUB.after(failures, retry.retryAfter(), random);
        };
    }

    /** The lane has changed: gives it its place in the turns, and starts what may start. */
    void laneChanged(Lane<?> lane) {
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

    void runEnded(Lane<?> lane) {
        synchronized (lock) {
            running--;
            lastMove = timers.nanoTime();
        }
        laneChanged(lane);
    }

    void closed(Lane<?> lane) {
        synchronized (lock) {
            lanes.remove(lane);
            fresh.remove(lane);
            resync.remove(lane);
        }
    }

    private void queueUp(Lane<?> lane) {
        place(lane, fresh, lane.mayStart(Urgency.FRESH));
        place(lane, resync, lane.mayStart(Urgency.RESYNC));
    }

    /** A lane that has a turn already keeps it. */
    private static void place(Lane<?> lane, SequencedSet<Lane<?>> turns, boolean wanted) {
        if (wanted) {
            turns.add(lane);
        } else {
            turns.remove(lane);
        }
    }

    private @Nullable Runnable nextStart() {
        boolean resyncFirst = ++turn % RESYNC_TURN == 0;
        for (Urgency urgency : resyncFirst ? RESYNC_FIRST : FRESH_FIRST) {
            SequencedSet<Lane<?>> turns = urgency == Urgency.FRESH ? fresh : resync;
            if (!turns.isEmpty()) {
                Lane<?> lane = turns.removeFirst();
                Runnable start = lane.takeRun(urgency);
                queueUp(lane);
                return start;
            }
        }
        return null;
    }
}
