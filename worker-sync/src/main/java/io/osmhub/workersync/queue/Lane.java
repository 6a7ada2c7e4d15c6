package io.osmhub.workersync.queue;

import io.osmhub.core.problem.Actor;
import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.SequencedMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The keys of one tenant in the {@link WorkQueue}. A key that is added while it waits stays where it is; one that is added
 * while it runs runs once more. Safe for use by many threads.
 */
public final class Lane<K> {
    private static final Logger LOG = LoggerFactory.getLogger(Lane.class);

    private final WorkQueue queue;
    private final Run<K> run;

    // All guarded by the queue's lock. Values are the moments at which the keys came.
    private final SequencedMap<K, Long> fresh = new LinkedHashMap<>();
    private final SequencedMap<K, Long> resync = new LinkedHashMap<>();
    private final Map<K, Running> running = new HashMap<>();
    private final Map<K, Alarm> alarms = new HashMap<>();
    private final Map<K, Integer> failures = new HashMap<>();
    private int most;
    private boolean held;
    private boolean closed;

    /** A key that runs; {@code again} is set when it was added meanwhile. */
    private static final class Running {
        private @Nullable Urgency again;
    }

    private record Alarm(long at, Timers.Timer timer) {}

    Lane(WorkQueue queue, int most, Run<K> run) {
        this.queue = queue;
        this.most = most;
        this.run = run;
    }

    /** Runs the key as soon as its turn comes; a pause after failures ends. */
    public void add(K key, Urgency urgency) {
        synchronized (queue.lock()) {
            if (closed) {
                return;
            }
            cancelAlarm(key);
            enqueue(key, urgency);
        }
        queue.laneChanged(this);
    }

    /** Runs the key after a time, or earlier if something else asks for it. */
    public void addAfter(K key, Duration delay) {
        synchronized (queue.lock()) {
            setAlarm(key, delay, Urgency.FRESH);
        }
    }

    /** So many keys run at a time from now on, as far as the queue lets one tenant. */
    public void limit(int mostOfIt) {
        synchronized (queue.lock()) {
            most = mostOfIt;
        }
        queue.laneChanged(this);
    }

    /** Starts nothing more until {@link #release}; keys are still taken. What runs goes on. */
    public void hold() {
        synchronized (queue.lock()) {
            held = true;
        }
        queue.laneChanged(this);
    }

    public void release() {
        synchronized (queue.lock()) {
            held = false;
        }
        queue.laneChanged(this);
    }

    /** Forgets all keys; what runs goes on, and nothing starts any more. */
    public void close() {
        synchronized (queue.lock()) {
            closed = true;
            fresh.clear();
            resync.clear();
            failures.clear();
            alarms.values().forEach(alarm -> alarm.timer().cancel());
            alarms.clear();
        }
        queue.closed(this);
    }

    /** Keys whose turn has not come. */
    public int waiting() {
        synchronized (queue.lock()) {
            return fresh.size() + resync.size();
        }
    }

    /** How long the oldest key waits for its turn; zero when none does. */
    public Duration oldestWaiting() {
        synchronized (queue.lock()) {
            long now = queue.timers().nanoTime();
            return Duration.ofNanos(Math.max(age(fresh, now), age(resync, now)));
        }
    }

    /** Neither waits nor runs anything; pauses do not count. */
    public boolean isIdle() {
        synchronized (queue.lock()) {
            return fresh.isEmpty() && resync.isEmpty() && running.isEmpty();
        }
    }

    private static long age(SequencedMap<?, Long> keys, long now) {
        return keys.isEmpty() ? 0 : now - keys.firstEntry().getValue();
    }

    boolean isHeld() {
        return held;
    }

    boolean mayStart(Urgency urgency) {
        return !closed
                && !held
                && running.size() < Math.min(most, queue.mostOfOne())
                && !keys(urgency).isEmpty();
    }

    private SequencedMap<K, Long> keys(Urgency urgency) {
        return urgency == Urgency.FRESH ? fresh : resync;
    }

    private void enqueue(K key, Urgency urgency) {
        Running current = running.get(key);
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
        Running current = new Running();
        running.put(key, current);
        int before = failures.getOrDefault(key, 0);
        return () -> run(key, current, before);
    }

    private void run(K key, Running current, int before) {
        Next next = null;
        try {
            next = run.run(key, before);
        } finally {
            if (next == null) {
                // A Run answers for its own failures; this one is a fault in it, and a key is never lost by that.
                LOG.error("A run ended without an answer");
                next = new Next.Retry(Actor.HUB, null);
            }
            ended(key, current, next, before);
        }
    }

    private void ended(K key, Running current, Next next, int before) {
        synchronized (queue.lock()) {
            running.remove(key);
            if (!closed) {
                follow(key, next, before);
                if (current.again != null) {
                    cancelAlarm(key);
                    enqueue(key, current.again);
                }
            }
        }
        queue.runEnded(this);
    }

    private void follow(K key, Next next, int before) {
        switch (next) {
            case Next.Done() -> failures.remove(key);
            case Next.Later(Duration delay) -> {
                failures.remove(key);
                setAlarm(key, delay, Urgency.FRESH);
            }
            case Next.Retry retry -> {
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
        Alarm known = alarms.get(key);
        if (known != null && known.at() - at <= 0) {
            return;
        }
        cancelAlarm(key);
        alarms.put(key, new Alarm(at, queue.timers().after(delay, () -> rings(key, at, urgency))));
    }

    private void rings(K key, long at, Urgency urgency) {
        synchronized (queue.lock()) {
            Alarm alarm = alarms.get(key);
            if (alarm == null || alarm.at() != at) {
                return;
            }
            alarms.remove(key);
            enqueue(key, urgency);
        }
        queue.laneChanged(this);
    }

    private void cancelAlarm(K key) {
        Alarm alarm = alarms.remove(key);
        if (alarm != null) {
            alarm.timer().cancel();
        }
    }
}
