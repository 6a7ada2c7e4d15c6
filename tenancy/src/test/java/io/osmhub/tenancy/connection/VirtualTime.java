package io.osmhub.tenancy.connection;

import io.osmhub.workersync.port.Scheduler;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.PriorityQueue;
import java.util.Queue;
import java.util.concurrent.Executor;

/** Virtual time: the test moves the clock and runs all tasks on its thread. */
final class VirtualTime implements Scheduler, Executor {
    static final Instant BEGIN = Instant.parse("2026-11-21T10:00:00Z");

    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(
            Comparator.<Alarm>comparingLong(alarm -> alarm.due).thenComparingLong(a -> a.number));
    private final Queue<Runnable> tasks = new ArrayDeque<>();
    private long nanos;
    private long numbers;

    private final class Alarm implements ScheduledTask {
        private final long due;
        private final long number = numbers++;
        private final Runnable task;

        Alarm(long due, Runnable task) {
            this.due = due;
            this.task = task;
        }

        @Override
        public void cancel() {
            alarms.remove(this);
        }
    }

    @Override
    public Instant now() {
        return BEGIN.plusNanos(nanos);
    }

    @Override
    public long nanoTime() {
        return nanos;
    }

    @Override
    public ScheduledTask schedule(Duration delay, Runnable task) {
        Alarm alarm = new Alarm(nanos + delay.toNanos(), task);
        alarms.add(alarm);
        return alarm;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs all due tasks. */
    void settle() {
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
        }
    }

    void advance(Duration time) {
        settle();
        long until = nanos + time.toNanos();
        for (Alarm next = alarms.peek(); next != null && next.due <= until; next = alarms.peek()) {
            alarms.remove();
            nanos = Math.max(nanos, next.due);
            next.task.run();
            settle();
        }
        nanos = until;
    }
}
