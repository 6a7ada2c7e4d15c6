package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.port.Scheduler;
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
 * Detects another writer that repeatedly reverts the hub's writes. The first repairs are immediate; from the fifth within ten
 * minutes on, pauses grow, so that two writers do not overload the API server. Thread-safe.
 */
final class DriftLoopDetector {
    static final int REPAIRS = 5;
    static final Duration WITHIN = Duration.ofMinutes(10);
    private static final ExponentialBackoff PAUSES =
            new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(5));

    private final Scheduler timers;
    private final RandomGenerator random;
    private final Map<String, RepairHistory> histories = new HashMap<>();

    DriftLoopDetector(Scheduler timers, RandomGenerator random) {
        this.timers = timers;
        this.random = random;
    }

    private static final class RepairHistory {
        private final Deque<Instant> repairs = new ArrayDeque<>();
        private Instant notBefore = Instant.MIN;
    }

    /** One object was changed by another writer this many times within ten minutes. */
    record DriftLoop(PlannedChange change, int repairs) {}

    /** How long not to write. */
    record RepairPause(DriftLoop loop, Duration duration) {}

    /** Returns null if the changes may be written now. */
    synchronized @Nullable RepairPause findPause(List<PlannedChange> changes) {
        Instant now = timers.now();
        for (PlannedChange change : changes) {
            RepairHistory history = isRepair(change) ? histories.get(target(change)) : null;
            if (history != null && history.notBefore.isAfter(now)) {
                return new RepairPause(
                        new DriftLoop(change, count(history, now)), Duration.between(now, history.notBefore));
            }
        }
        return null;
    }

    /** Records a write. Returns the loop that it belongs to; null if none. */
    synchronized @Nullable DriftLoop recordWrite(PlannedChange change) {
        if (!isRepair(change)) {
            return null;
        }
        Instant now = timers.now();
        histories.values().removeIf(history -> count(history, now) == 0);
        RepairHistory history = histories.computeIfAbsent(target(change), name -> new RepairHistory());
        history.repairs.addLast(now);
        int repairs = count(history, now);
        if (repairs < REPAIRS) {
            return null;
        }
        history.notBefore = now.plus(PAUSES.delayAfter(repairs - REPAIRS + 1, random));
        return new DriftLoop(change, repairs);
    }

    private static int count(RepairHistory history, Instant now) {
        while (!history.repairs.isEmpty()
                && history.repairs.getFirst().plus(WITHIN).isBefore(now)) {
            history.repairs.removeFirst();
        }
        return history.repairs.size();
    }

    static boolean isRepair(PlannedChange change) {
        return change.reason().cause() == ChangeReason.Cause.DRIFT;
    }

    private static String target(PlannedChange change) {
        return WriteTarget.of(change).toString();
    }
}
