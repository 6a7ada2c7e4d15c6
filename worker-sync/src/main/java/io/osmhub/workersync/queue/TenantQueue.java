package io.osmhub.workersync.queue;

import io.osmhub.core.problem.Actor;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One tenant's keys in the {@link WorkQueue}. Adding a queued key keeps its position; adding a running key runs it again.
 * Thread-safe.
 */
public final class TenantQueue<K> {
    private static final Logger LOG = LoggerFactory.getLogger(TenantQueue.class);

    private final WorkQueue workQueue;

    // All guarded by the queue's lock.
    /** Queued keys with their times of arrival. */
    private final Map<Urgency, SequencedMap<K, Long>> waitingKeys = new EnumMap<>(Urgency.class);

    private final Map<K, RunningKey> runningKeys = new HashMap<>();
    private final Map<K, ScheduledKey> scheduledKeys = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private int maxParallel;
    private @Nullable KeyHandler<K> keyHandler;
    private boolean paused;
    private boolean closed;

    /** {@code nextUrgency} is set if the key was added while running. */
    private static final class RunningKey {
        private @Nullable Urgency nextUrgency;
    }

    private record ScheduledKey(long at, Scheduler.ScheduledTask scheduledTask) {}

    TenantQueue(WorkQueue workQueue, int maxParallel, @Nullable KeyHandler<K> keyHandler) {
        this.workQueue = workQueue;
        this.maxParallel = maxParallel;
        this.keyHandler = keyHandler;
        for (Urgency urgency : Urgency.values()) {
            waitingKeys.put(urgency, new LinkedHashMap<>());
        }
    }

    /** Queues the key; ends its backoff. */
    public void add(K key, Urgency urgency) {
        synchronized (workQueue.lock()) {
            if (closed) {
                return;
            }
            cancelScheduled(key);
            enqueue(key, urgency);
        }
        workQueue.onQueueChanged(this);
    }

    /** Queues the key after a delay, or earlier if it is added. */
    public void addAfter(K key, Duration delay) {
        synchronized (workQueue.lock()) {
            schedule(key, delay);
        }
    }

    /** Starts the keys of a queue that was created without a handler. */
    public void start(KeyHandler<K> handler) {
        synchronized (workQueue.lock()) {
            keyHandler = handler;
        }
        workQueue.onQueueChanged(this);
    }

    /** Sets how many keys run at a time, within the queue's limit per tenant. */
    public void setMaxParallel(int limit) {
        synchronized (workQueue.lock()) {
            maxParallel = limit;
        }
        workQueue.onQueueChanged(this);
    }

    /** Starts nothing until {@link #resume}; still accepts keys. Running keys continue. */
    public void pause() {
        setPaused(true);
    }

    public void resume() {
        setPaused(false);
    }

    private void setPaused(boolean pause) {
        synchronized (workQueue.lock()) {
            paused = pause;
        }
        workQueue.onQueueChanged(this);
    }

    /** Drops all keys and starts nothing more; running keys continue. */
    public void close() {
        synchronized (workQueue.lock()) {
            closed = true;
            waitingKeys.values().forEach(Map::clear);
            failures.clear();
            scheduledKeys
                    .values()
                    .forEach(scheduled -> scheduled.scheduledTask().cancel());
            scheduledKeys.clear();
        }
        workQueue.onQueueClosed(this);
    }

    /** Number of queued keys. */
    public int waiting() {
        synchronized (workQueue.lock()) {
            return waitingKeys.values().stream().mapToInt(Map::size).sum();
        }
    }

    /** Time that the oldest queued key has waited; zero if none. */
    public Duration oldestWaiting() {
        synchronized (workQueue.lock()) {
            long now = workQueue.scheduler().nanoTime();
            return Duration.ofNanos(waitingKeys.values().stream()
                    .filter(keys -> !keys.isEmpty())
                    .mapToLong(keys -> now - keys.firstEntry().getValue())
                    .max()
                    .orElse(0));
        }
    }

    /** No key is queued or running, except for backoffs. */
    boolean isIdle() {
        synchronized (workQueue.lock()) {
            return waiting() == 0 && runningKeys.isEmpty();
        }
    }

    boolean isPaused() {
        return paused || keyHandler == null;
    }

    boolean mayStart(Urgency urgency) {
        return !closed
                && !isPaused()
                && runningKeys.size() < Math.min(maxParallel, workQueue.maxPerTenant())
                && isWaiting(urgency);
    }

    boolean isWaiting(Urgency urgency) {
        return !keys(urgency).isEmpty();
    }

    private SequencedMap<K, Long> keys(Urgency urgency) {
        return waitingKeys.computeIfAbsent(urgency, any -> new LinkedHashMap<>());
    }

    private void enqueue(K key, Urgency urgency) {
        RunningKey running = runningKeys.get(key);
        if (running != null) {
            running.nextUrgency = running.nextUrgency == Urgency.FRESH ? Urgency.FRESH : urgency;
            return;
        }
        if (urgency == Urgency.FRESH) {
            Long since = keys(Urgency.RESYNC).remove(key);
            keys(urgency).putIfAbsent(key, since == null ? workQueue.scheduler().nanoTime() : since);
        } else if (!keys(Urgency.FRESH).containsKey(key)) {
            keys(urgency).putIfAbsent(key, workQueue.scheduler().nanoTime());
        }
    }

    Runnable takeRun(Urgency urgency) {
        K key = keys(urgency).pollFirstEntry().getKey();
        RunningKey running = new RunningKey();
        runningKeys.put(key, running);
        int failuresBefore = failures.getOrDefault(key, 0);
        KeyHandler<K> handler = keyHandler;
        return () -> run(handler, key, running, failuresBefore);
    }

    private void run(@Nullable KeyHandler<K> handler, K key, RunningKey running, int failuresBefore) {
        RequeueDecision requeueDecision = null;
        try {
            requeueDecision = handler == null ? null : handler.handle(key, failuresBefore);
        } finally {
            if (requeueDecision == null) {
                // Handlers handle their own failures; this is a bug in one, and must not lose the key.
                LOG.error("Run ended without a result");
                requeueDecision = new RequeueDecision.Retry(Actor.HUB, null);
            }
            onRunEnded(key, running, requeueDecision, failuresBefore);
        }
    }

    private void onRunEnded(K key, RunningKey running, RequeueDecision requeueDecision, int failuresBefore) {
        synchronized (workQueue.lock()) {
            runningKeys.remove(key);
            if (!closed) {
                applyDecision(key, requeueDecision, failuresBefore);
                if (running.nextUrgency != null) {
                    cancelScheduled(key);
                    enqueue(key, running.nextUrgency);
                }
            }
        }
        workQueue.onRunEnded(this);
    }

    private void applyDecision(K key, RequeueDecision requeueDecision, int failuresBefore) {
        if (!(requeueDecision instanceof RequeueDecision.Retry retry)) {
            failures.remove(key);
            if (requeueDecision instanceof RequeueDecision.RequeueAfter(Duration delay)) {
                schedule(key, delay);
            }
            return;
        }
        failures.put(key, failuresBefore + 1);
        Duration delay = workQueue.retryDelay(retry, failuresBefore + 1);
        if (delay != null) {
            schedule(key, delay);
        }
        if (retry.atLatest() != null) {
            schedule(key, retry.atLatest());
        }
    }

    /** The earlier time counts. */
    private void schedule(K key, Duration delay) {
        if (closed) {
            return;
        }
        long at = workQueue.scheduler().nanoTime() + delay.toNanos();
        ScheduledKey known = scheduledKeys.get(key);
        if (known != null && known.at() - at <= 0) {
            return;
        }
        cancelScheduled(key);
        scheduledKeys.put(key, new ScheduledKey(at, workQueue.scheduler().schedule(delay, () -> onTimer(key, at))));
    }

    private void onTimer(K key, long at) {
        synchronized (workQueue.lock()) {
            ScheduledKey scheduled = scheduledKeys.get(key);
            if (scheduled == null || scheduled.at() != at) {
                return;
            }
            scheduledKeys.remove(key);
            enqueue(key, Urgency.FRESH);
        }
        workQueue.onQueueChanged(this);
    }

    private void cancelScheduled(K key) {
        ScheduledKey scheduled = scheduledKeys.remove(key);
        if (scheduled != null) {
            scheduled.scheduledTask().cancel();
        }
    }
}
