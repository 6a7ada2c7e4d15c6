package io.osmhub.workersync.queue;

import io.osmhub.core.problem.Actor;
import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
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

    private final WorkQueue queue;
    private final KeyHandler<K> run;

    // All guarded by the queue's lock. Values are the times of arrival.
    private final SequencedMap<K, Long> fresh = new LinkedHashMap<>();
    private final SequencedMap<K, Long> resync = new LinkedHashMap<>();
    private final Map<K, RunningKey> running = new HashMap<>();
    private final Map<K, ScheduledKey> alarms = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private int most;
    private boolean held;
    private boolean closed;

    /** {@code again} is set if the key was added while running. */
    private static final class RunningKey {
        private @Nullable Urgency again;
    }

    private record ScheduledKey(long at, Scheduler.ScheduledTask timer) {}

    TenantQueue(WorkQueue queue, int most, KeyHandler<K> run) {
        this.queue = queue;
        this.most = most;
        this.run = run;
    }

    /** Queues the key; ends its backoff. */
    public void add(K key, Urgency urgency) {
        synchronized (queue.lock()) {
            if (closed) {
                return;
            }
            cancelAlarm(key);
            enqueue(key, urgency);
        }
        queue.onQueueChanged(this);
    }

    /** Queues the key after a delay, or earlier if it is added. */
    public void addAfter(K key, Duration delay) {
        synchronized (queue.lock()) {
            setAlarm(key, delay, Urgency.FRESH);
        }
    }

    /** Sets how many keys run at a time, within the queue's limit per tenant. */
    public void setMaxParallel(int mostOfIt) {
        synchronized (queue.lock()) {
            most = mostOfIt;
        }
        queue.onQueueChanged(this);
    }

    /** Starts nothing until {@link #resume}; still accepts keys. Running keys continue. */
    public void pause() {
        synchronized (queue.lock()) {
            held = true;
        }
        queue.onQueueChanged(this);
    }

    public void resume() {
        synchronized (queue.lock()) {
            held = false;
        }
        queue.onQueueChanged(this);
    }

    /** Drops all keys and starts nothing more; running keys continue. */
    public void close() {
        synchronized (queue.lock()) {
            closed = true;
            fresh.clear();
            resync.clear();
            failures.clear();
            alarms.values().forEach(alarm -> alarm.timer().cancel());
            alarms.clear();
        }
        queue.onQueueClosed(this);
    }

    /** Number of queued keys. */
    public int waiting() {
        synchronized (queue.lock()) {
            return fresh.size() + resync.size();
        }
    }

    /** Time that the oldest queued key has waited; zero if none. */
    public Duration oldestWaiting() {
        synchronized (queue.lock()) {
            long now = queue.timers().nanoTime();
            return Duration.ofNanos(Math.max(age(fresh, now), age(resync, now)));
        }
    }

    /** No key is queued or running, except for backoffs. */
    public boolean isIdle() {
        synchronized (queue.lock()) {
            return fresh.isEmpty() && resync.isEmpty() && running.isEmpty();
        }
    }

    private static long age(SequencedMap<?, Long> keys, long now) {
        return keys.isEmpty() ? 0 : now - keys.firstEntry().getValue();
    }

    boolean isPaused() {
        return held;
    }

    boolean mayStart(Urgency urgency) {
        return !closed
                && !held
                && running.size() < Math.min(most, queue.maxPerTenant())
                && !keys(urgency).isEmpty();
    }

    private SequencedMap<K, Long> keys(Urgency urgency) {
        return urgency == Urgency.FRESH ? fresh : resync;
    }

    private void enqueue(K key, Urgency urgency) {
        RunningKey current = running.get(key);
        if (current != null) {
            current.again = current.again == Urgency.FRESH ? Urgency.FRESH : urgency;
            return;
        }
        if (urgency == Urgency.FRESH) {
            Long since = resync.remove(key);
            fresh.putIfAbsent(key, since == null ? queue.timers().nanoTime() : since);
        } else if (!fresh.containsKey(key)) {
            resync.putIfAbsent(key, queue.timers().nanoTime());
        }
    }

    Runnable takeRun(Urgency urgency) {
        K key = keys(urgency).pollFirstEntry().getKey();
        RunningKey current = new RunningKey();
        running.put(key, current);
        int before = failures.getOrDefault(key, 0);
        return () -> run(key, current, before);
    }

    private void run(K key, RunningKey current, int before) {
        RequeueDecision next = null;
        try {
            next = run.handle(key, before);
        } finally {
            if (next == null) {
                // Handlers handle their own failures; this is a bug in one, and must not lose the key.
                LOG.error("Run ended without a result");
                next = new RequeueDecision.Retry(Actor.HUB, null);
            }
            onRunEnded(key, current, next, before);
        }
    }

    private void onRunEnded(K key, RunningKey current, RequeueDecision next, int before) {
        synchronized (queue.lock()) {
            running.remove(key);
            if (!closed) {
                applyDecision(key, next, before);
                if (current.again != null) {
                    cancelAlarm(key);
                    enqueue(key, current.again);
                }
            }
        }
        queue.onRunEnded(this);
    }

    private void applyDecision(K key, RequeueDecision next, int before) {
        switch (next) {
            case RequeueDecision.Done() -> failures.remove(key);
            case RequeueDecision.RequeueAfter(Duration delay) -> {
                failures.remove(key);
                setAlarm(key, delay, Urgency.FRESH);
            }
            case RequeueDecision.Retry retry -> {
                failures.put(key, before + 1);
                Duration delay = queue.retryDelay(retry, before + 1);
                if (delay != null) {
                    setAlarm(key, delay, Urgency.FRESH);
                }
            }
        }
    }

    private void setAlarm(K key, Duration delay, Urgency urgency) {
        if (closed) {
            return;
        }
        long at = queue.timers().nanoTime() + delay.toNanos();
        ScheduledKey known = alarms.get(key);
        if (known != null && known.at() - at <= 0) {
            return;
        }
        cancelAlarm(key);
        alarms.put(key, new ScheduledKey(at, queue.timers().schedule(delay, () -> onTimer(key, at, urgency))));
    }

    private void onTimer(K key, long at, Urgency urgency) {
        synchronized (queue.lock()) {
            ScheduledKey alarm = alarms.get(key);
            if (alarm == null || alarm.at() != at) {
                return;
            }
            alarms.remove(key);
            enqueue(key, urgency);
        }
        queue.onQueueChanged(this);
    }

    private void cancelAlarm(K key) {
        ScheduledKey alarm = alarms.remove(key);
        if (alarm != null) {
            alarm.timer().cancel();
        }
    }
}
