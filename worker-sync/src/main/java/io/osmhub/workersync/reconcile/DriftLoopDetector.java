package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.reconcile.RunReport.Postponement;
import io.osmhub.workersync.write.WriteTarget;
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
    private static final int MAX_REPAIRS = 5;
    static final Duration PERIOD = Duration.ofMinutes(10);
    private static final ExponentialBackoff BACKOFF =
            new ExponentialBackoff(Duration.ofSeconds(10), Duration.ofMinutes(5));

    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final Map<String, RepairHistory> repairHistories = new HashMap<>();

    DriftLoopDetector(Scheduler scheduler, RandomGenerator random) {
        this.scheduler = scheduler;
        this.random = random;
    }

    private static final class RepairHistory {
        private final Deque<Instant> repairs = new ArrayDeque<>();
        private Instant notBefore = Instant.MIN;
    }

    /** One object was changed by another writer this many times within ten minutes. */
    record DriftLoop(PlannedChange change, int repairs) {
        Problem problem(String tenant) {
            WriteTarget target = WriteTarget.of(change);
            String writer = target.lastWriter();
            Problem problem = Reason.DriftLoop.with(
                    "tenant",
                    tenant,
                    "kind",
                    target.resource().kind(),
                    "name",
                    target.key().toString(),
                    "manager",
                    writer == null ? "an unknown writer" : writer,
                    "n",
                    Integer.toString(repairs),
                    "field",
                    writer == null ? "the whole object" : "data or annotations");
            return problem.atLink(change.link());
        }
    }

    /** Returns null if the changes may be written now. */
    synchronized @Nullable Postponement findPostponement(List<PlannedChange> changes) {
        Instant now = scheduler.now();
        for (PlannedChange change : changes) {
            RepairHistory history = isRepair(change) ? repairHistories.get(target(change)) : null;
            if (history != null && history.notBefore.isAfter(now)) {
                return new Postponement(
                        Duration.between(now, history.notBefore), new DriftLoop(change, count(history, now)));
            }
        }
        return null;
    }

    /** Records a write. Returns the loop that it belongs to; null if none. */
    synchronized @Nullable DriftLoop recordWrite(PlannedChange change) {
        if (!isRepair(change)) {
            return null;
        }
        Instant now = scheduler.now();
        repairHistories.values().removeIf(history -> count(history, now) == 0);
        RepairHistory history = repairHistories.computeIfAbsent(target(change), name -> new RepairHistory());
        history.repairs.addLast(now);
        int repairs = count(history, now);
        if (repairs < MAX_REPAIRS) {
            return null;
        }
        history.notBefore = now.plus(BACKOFF.delayAfter(repairs - MAX_REPAIRS + 1, random));
        return new DriftLoop(change, repairs);
    }

    private static int count(RepairHistory history, Instant now) {
        while (!history.repairs.isEmpty()
                && history.repairs.getFirst().plus(PERIOD).isBefore(now)) {
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
