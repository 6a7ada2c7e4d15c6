package io.osmhub.workersync.fake;

import io.osmhub.workersync.port.Scheduler;
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
 * A clock that moves, and an executor that runs tasks, only on request. Single-threaded. Endless work at one time is a failure,
 * not a hang.
 */
public final class VirtualTime implements Scheduler, Executor {
    private static final int MOST_TASKS = 2_000_000;

    private final PriorityQueue<Alarm> alarms = new PriorityQueue<>(
            Comparator.comparing((Alarm alarm) -> alarm.at).thenComparingLong(alarm -> alarm.number));
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private Instant now = Instant.parse("2026-03-01T10:00:00Z");
    private final Instant start = now;
    private long alarmsSet;
    private @Nullable Runnable afterEachTask;

    private static final class Alarm implements ScheduledTask {
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
    public ScheduledTask schedule(Duration delay, Runnable task) {
        Alarm alarm = new Alarm(now.plus(delay.isNegative() ? Duration.ZERO : delay), alarmsSet++, task);
        alarms.add(alarm);
        return alarm;
    }

    @Override
    public void execute(Runnable task) {
        tasks.add(task);
    }

    /** Runs a check after each task and each timer. */
    public void afterEachTask(Runnable look) {
        afterEachTask = look;
    }

    /** Runs all due tasks. */
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

    /** Advances time, and runs timers when they are due. */
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

    /** Runs queued tasks in reverse order. */
    public void reverse() {
        List<Runnable> waiting = List.copyOf(tasks);
        tasks.clear();
        waiting.forEach(tasks::addFirst);
    }

    /** Nothing is due. */
    public boolean isIdle() {
        Alarm alarm = alarms.peek();
        return tasks.isEmpty() && (alarm == null || alarm.at.isAfter(now));
    }

    /** Runs one due task or timer. */
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

    /** Active timers. */
    public long alarmsSet() {
        return alarms.stream().filter(alarm -> !alarm.cancelled).count();
    }

    /** Drops all tasks and timers, like a killed process. */
    public void kill() {
        tasks.clear();
        alarms.clear();
    }
}
