package io.osmhub.workersync.fake;

import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.Deque;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Executor;
import org.jspecify.annotations.Nullable;

/**
 * A clock that stands still until it is told to go, and an executor that runs what it was given when it is told to. For one
 * thread. Endless work at one moment is a failure, not a hang.
 */
public final class VirtualTime implements Timers, Executor {
    private static final int MOST_TASKS = 2_000_000;

    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(
            Comparator.comparing((Alarm alarm) -> alarm.at).thenComparingLong(alarm -> alarm.number));
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private Instant now = Instant.parse("2026-03-01T10:00:00Z");
    private final Instant start = now;
    private long alarmsSet;
    private @Nullable Runnable afterEachTask;

    private static final class Alarm implements Timer {
        private final Instant at;
        private final long number;
        private final Runnable task;
        private boolean cancelled;

        Alarm(Instant at, long number, Runnable task) {
            this.at = at;
            this.number = number;
            this.task = task;
        }

        @Override
        public void cancel() {
            cancelled = true;
        }
    }

    @Override
    public Instant now() {
        return now;
    }

    @Override
    public long nanoTime() {
        return Duration.between(start, now).toNanos();
    }

    @Override
    public Timer after(Duration delay, Runnable task) {
        Alarm alarm = new Alarm(now.plus(delay.isNegative() ? Duration.ZERO : delay), alarmsSet++, task);
        alarms.add(alarm);
        return alarm;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Looks at something after each task and each alarm. */
    public void afterEachTask(Runnable look) {
        afterEachTask = look;
    }

    /** Runs all that can run at this moment. */
    public void settle() {
        int count = 0;
        while (true) {
            Runnable task = tasks.poll();
            if (task == null) {
                Alarm alarm = alarms.peek();
                if (alarm == null || alarm.at.isAfter(now)) {
                    return;
                }
                alarms.poll();
                if (alarm.cancelled) {
                    continue;
                }
                task = alarm.task;
            }
            if (++count > MOST_TASKS) {
                throw new AssertionError("it never settles");
            }
            task.run();
            if (afterEachTask != null) {
                afterEachTask.run();
            }
        }
    }

    /** Lets time pass; what falls due happens at its moment. */
    public void pass(Duration time) {
        Instant end = now.plus(time);
        settle();
        while (true) {
            Alarm alarm = alarms.peek();
            if (alarm == null || alarm.at.isAfter(end)) {
                break;
            }
            if (alarm.cancelled) {
                alarms.poll();
                continue;
            }
            now = alarm.at;
            settle();
        }
        now = end;
        settle();
    }

    /** What waits to run runs in the opposite order. */
    public void reverse() {
        List<Runnable> waiting = List.copyOf(tasks);
        tasks.clear();
        waiting.forEach(tasks::addFirst);
    }

    /** Nothing can run at this moment. */
    public boolean isIdle() {
        Alarm alarm = alarms.peek();
        return tasks.isEmpty() && (alarm == null || alarm.at.isAfter(now));
    }

    /** Runs one task or alarm of this moment. */
    public void step() {
        Runnable task = tasks.poll();
        if (task == null) {
            Alarm alarm = alarms.poll();
            task = alarm == null || alarm.cancelled ? () -> {} : alarm.task;
        }
        task.run();
        if (afterEachTask != null) {
            afterEachTask.run();
        }
    }

    /** Alarms that are set and not cancelled. */
    public long alarmsSet() {
        return alarms.stream().filter(alarm -> !alarm.cancelled).count();
    }

    /** All work and alarms vanish, as in a process that is killed. */
    public void kill() {
        tasks.clear();
        alarms.clear();
    }
}
