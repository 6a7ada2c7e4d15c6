package io.osmhub.tenancy.connection;

import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Schedules the pings of all connections with one timer, spread over the interval. */
final class PingScheduler {
    private static final Logger LOG = LoggerFactory.getLogger(PingScheduler.class);
    // Pings due within this time run together, so that the timer does not fire for each.
    private static final long TICK_NANOS = Duration.ofMillis(100).toNanos();
    // Its multiples spread evenly over the interval, regardless of their number.
    private static final double GOLDEN_RATIO = 0.618033988749895;

    private final Scheduler scheduler;
    private final PriorityQueue<PingTask> queue =
            new PriorityQueue<>(Comparator.comparingLong(entry -> entry.dueNanos));
    private double phase;
    private Scheduler.@Nullable ScheduledTask timer;
    private long timerDueNanos;

    PingScheduler(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** A connection that is pinged until cancelled. */
    final class PingTask {
        private final long intervalNanos;
        private final Runnable ping;
        private long dueNanos;

        private PingTask(Duration interval, Runnable ping) {
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
    synchronized PingTask schedule(Duration interval, Runnable ping) {
        phase = (phase + GOLDEN_RATIO) % 1.0;
        PingTask entry = new PingTask(interval, ping);
        entry.dueNanos = scheduler.nanoTime() + (long) (phase * entry.intervalNanos);
        queue.add(entry);
        arm();
        return entry;
    }

    private void tick() {
        List<PingTask> due = new ArrayList<>();
        synchronized (this) {
            timer = null;
            long now = scheduler.nanoTime();
            for (PingTask head = queue.peek(); head != null && head.dueNanos - now <= 0; head = queue.peek()) {
                queue.remove();
                head.dueNanos = now + head.intervalNanos;
                queue.add(head);
                due.add(head);
            }
            arm();
        }
        for (PingTask entry : due) {
            try {
                entry.ping.run();
            } catch (RuntimeException e) {
                // Must not delay the pings of other connections.
                LOG.error("Cannot ping a connection", e);
            }
        }
    }

    private void arm() {
        PingTask head = queue.peek();
        if (head == null || (timer != null && timerDueNanos - head.dueNanos <= TICK_NANOS)) {
            return;
        }
        if (timer != null) {
            timer.cancel();
        }
        long wait = Math.max(TICK_NANOS, head.dueNanos - scheduler.nanoTime());
        timerDueNanos = scheduler.nanoTime() + wait;
        timer = scheduler.schedule(Duration.ofNanos(wait), this::tick);
    }
}
