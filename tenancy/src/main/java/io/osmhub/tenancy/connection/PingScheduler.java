package io.osmhub.tenancy.connection;

import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;

/** Says of each connection when to ping it, with one timer for all and the pings spread over the interval. */
public final class PingScheduler {
    // Pings that are due within this time go together, so that the timer does not fire for each.
    private static final long TICK_NANOS = Duration.ofMillis(100).toNanos();
    // Multiples of it spread evenly over the interval, however many there are.
    private static final double GOLDEN_RATIO = 0.618033988749895;

    private final Timers timers;
    private final PriorityQueue<Entry> queue = new PriorityQueue<>(Comparator.comparingLong(entry -> entry.dueNanos));
    private double phase;
    private Timers.@Nullable Timer timer;
    private long timerDueNanos;

    public PingScheduler(Timers timers) {
        this.timers = timers;
    }

    /** A connection that is pinged until it is cancelled. */
    final class Entry {
        private final long intervalNanos;
        private final Runnable ping;
        private long dueNanos;

        private Entry(Duration interval, Runnable ping) {
            this.intervalNanos = interval.toNanos();
            this.ping = ping;
        }

        void cancel() {
            synchronized (PingScheduler.this) {
                queue.remove(this);
            }
        }
    }

    /** @param ping must not block */
    synchronized Entry every(Duration interval, Runnable ping) {
        phase = (phase + GOLDEN_RATIO) % 1.0;
        Entry entry = new Entry(interval, ping);
        entry.dueNanos = timers.nanoTime() + (long) (phase * entry.intervalNanos);
        queue.add(entry);
        arm();
        return entry;
    }

    private void tick() {
        List<Entry> due = new ArrayList<>();
        synchronized (this) {
            timer = null;
            long now = timers.nanoTime();
            for (Entry head = queue.peek(); head != null && head.dueNanos - now <= 0; head = queue.peek()) {
                queue.remove();
                head.dueNanos = now + head.intervalNanos;
                queue.add(head);
                due.add(head);
            }
            arm();
        }
        due.forEach(entry -> entry.ping.run());
    }

    private void arm() {
        Entry head = queue.peek();
        if (head == null || (timer != null && timerDueNanos - head.dueNanos <= TICK_NANOS)) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        long wait = Math.max(TICK_NANOS, head.dueNanos - timers.nanoTime());
        timerDueNanos = timers.nanoTime() + wait;
        timer = timers.after(Duration.ofNanos(wait), this::tick);
    }
}
