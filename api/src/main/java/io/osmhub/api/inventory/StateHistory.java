package io.osmhub.api.inventory;

import io.osmhub.api.schema.Connection.Interval;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/** States of the worker clusters in the last 24 hours, as far as this process observed them: nothing is stored. Thread-safe. */
final class StateHistory {
    private static final Duration KEPT = Duration.ofDays(1);
    private static final int MOST = 100;

    private final Map<ObjectKey, Deque<Interval>> histories = new ConcurrentHashMap<>();

    /**
     * Records the state of a worker cluster; null after deletion.
     *
     * @param start of the state if it is new: an outage is reported some attempts after the last answer
     */
    void record(ObjectKey key, @Nullable State state, Instant start, Instant now) {
        histories.compute(key, (ignored, known) -> {
            if (state == null) {
                return null;
            }
            Deque<Interval> history = known == null ? new ArrayDeque<>() : known;
            Interval last = history.peekLast();
            if (last == null || last.state() != state) {
                Instant observed = history.isEmpty() ? now : history.element().from();
                Instant from = start.isBefore(observed) ? observed : start;
                while (last != null && !last.from().isBefore(from)) {
                    history.removeLast();
                    last = history.peekLast();
                }
                if (last != null) {
                    history.removeLast();
                    history.addLast(new Interval(last.from(), from, last.state()));
                }
                history.addLast(new Interval(from, null, state));
            }
            while (history.size() > MOST || isOver(history.element(), now)) {
                history.removeFirst();
            }
            return history;
        });
    }

    /** Oldest first; the last is the current state. */
    List<Interval> intervals(ObjectKey key, Instant now) {
        List<Interval> intervals = new ArrayList<>();
        histories.computeIfPresent(key, (ignored, history) -> {
            history.stream().filter(interval -> !isOver(interval, now)).forEach(intervals::add);
            return history;
        });
        return intervals;
    }

    private static boolean isOver(Interval interval, Instant now) {
        return interval.to() != null && interval.to().plus(KEPT).isBefore(now);
    }
}
