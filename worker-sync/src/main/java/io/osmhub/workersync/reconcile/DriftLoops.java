package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Why;
import io.osmhub.workersync.apiserver.Backoff;
import io.osmhub.workersync.port.Timers;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Notices that somebody undoes what the hub does, again and again. The first repairs go at once; from the fifth within ten
 * minutes on the hub waits longer each time, so that two writers do not wear out the API server. Safe for use by many threads.
 */
final class DriftLoops {
    static final int REPAIRS = 5;
    static final Duration WITHIN = Duration.ofMinutes(10);
    private static final Backoff PAUSES = new Backoff(Duration.ofSeconds(10), Duration.ofMinutes(5));

    private final Timers timers;
    private final RandomGenerator random;
    private final Map<String, History> histories = new HashMap<>();

    DriftLoops(Timers timers, RandomGenerator random) {
        this.timers = timers;
        this.random = random;
    }

    /** Repairs of one object. */
    private static final class History {
        private final Deque<Instant> repairs = new ArrayDeque<>();
        private Instant notBefore = Instant.MIN;
    }

    /** Somebody changed one object so many times within ten minutes. */
    record Loop(Change change, int repairs) {}

    /** Nothing is to be written for so long. */
    record Pause(Loop loop, Duration forSoLong) {}

    /** Null when the changes may be made now. */
    synchronized @Nullable Pause pause(List<Change> changes) {
        Instant now = timers.now();
        for (Change change : changes) {
            History history = isRepair(change) ? histories.get(target(change)) : null;
            if (history != null && history.notBefore.isAfter(now)) {
                return new Pause(new Loop(change, count(history, now)), Duration.between(now, history.notBefore));
            }
        }
        return null;
    }

    /** A change was made. Returns the loop that it is part of; null when it is none. */
    synchronized @Nullable Loop made(Change change) {
        if (!isRepair(change)) {
            return null;
        }
        Instant now = timers.now();
        histories.values().removeIf(history -> count(history, now) == 0);
        History history = histories.computeIfAbsent(target(change), name -> new History());
        history.repairs.addLast(now);
        int repairs = count(history, now);
        if (repairs < REPAIRS) {
            return null;
        }
        history.notBefore = now.plus(PAUSES.after(repairs - REPAIRS + 1, random));
        return new Loop(change, repairs);
    }

    private static int count(History history, Instant now) {
        while (!history.repairs.isEmpty()
                && history.repairs.getFirst().plus(WITHIN).isBefore(now)) {
            history.repairs.removeFirst();
        }
        return history.repairs.size();
    }

    static boolean isRepair(Change change) {
        return change.why().cause() == Why.Cause.DRIFT;
    }

    private static String target(Change change) {
        return Target.of(change).toString();
    }
}
