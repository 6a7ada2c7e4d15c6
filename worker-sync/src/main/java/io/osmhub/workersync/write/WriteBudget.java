package io.osmhub.workersync.write;

import io.osmhub.core.settings.TenantSettings;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * How many writes one worker cluster gets: a lasting rate and a burst. Nobody waits in here: who gets nothing is promised a moment of
 * their own and told when to come back, so that of many who wait each comes once and not all of them whenever one may go. A promise
 * that nobody comes back for delays nobody further. Safe for use by many threads.
 */
public final class WriteBudget {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Timers timers;
    private final Line first = new Line();
    private final Line patient = new Line();
    /** Who waits longest comes first. */
    private final SequencedMap<ObjectKey, Promise> promises = new LinkedHashMap<>();

    private TenantSettings.WriteBudget limits;
    private double left;
    private long at;

    /** Whose turn it is when there is not enough for all. */
    public enum Turn {
        /** A machine or a person waits for it. */
        FIRST,
        /** What is published is good enough for now. */
        PATIENT
    }

    /** Those who wait one after the other, by a clock that others can hold up. */
    private static final class Line {
        private long heldUp;
        private long end;

        long time(long now) {
            return now - heldUp;
        }

        boolean isOver(long now) {
            return end - time(now) <= 0;
        }

        void holdUp(long now, long nanos) {
            if (!isOver(now)) {
                heldUp += nanos;
            }
        }
    }

    /**
     * A place in a line.
     *
     * @param due by the clock of the line
     * @param since when they asked for the first time
     */
    private record Promise(Turn turn, long due, int writes, long since) {}

    /** How many objects wait, and the one that waits longest for how long. */
    public record Waiting(int count, Duration longest) {}

    public WriteBudget(Timers timers, TenantSettings.WriteBudget limits) {
        this.timers = timers;
        this.limits = limits;
        left = limits.burst();
        at = timers.nanoTime();
        begin(at);
    }

    /** Other limits from now on. What was promised by the ones before is void: who waits has to ask again. */
    public synchronized void limit(TenantSettings.WriteBudget now) {
        if (now.equals(limits)) {
            return;
        }
        refill();
        limits = now;
        left = Math.min(left, now.burst());
        promises.clear();
        begin(at);
    }

    private void begin(long now) {
        first.end = first.time(now);
        patient.end = patient.time(now);
    }

    /**
     * Takes so many writes for one object. A set of changes is not torn apart: it is let through while anything is left, and the
     * others wait for the debt.
     *
     * @return zero when they may go now, else how long to wait before asking again; nothing was taken then
     */
    public synchronized Duration take(ObjectKey key, int writes, Turn turn) {
        refill();
        Line line = turn == Turn.FIRST ? first : patient;
        Promise promise = promises.get(key);
        long since = promise == null ? at : promise.since();
        if (promise != null && promise.turn() != turn) {
            promise = null;
        }
        boolean isTurn = promise == null ? line.isOver(at) : promise.due() - line.time(at) <= 0;
        if (isTurn && left > 0 && (turn == Turn.FIRST || first.isOver(at))) {
            promises.remove(key);
            left -= writes;
            if (turn == Turn.FIRST) {
                patient.holdUp(at, nanos(writes));
            }
            if (promise != null && writes > promise.writes()) {
                line.holdUp(at, nanos(writes - promise.writes()));
            }
            return Duration.ZERO;
        }
        if (promise == null) {
            promise = promise(line, turn, writes, since);
            promises.put(key, promise);
        }
        long othersFirst = turn == Turn.FIRST ? 0 : first.end - first.time(at);
        return Duration.ofNanos(Math.max(Math.max(promise.due() - line.time(at), othersFirst), debt()));
    }

    /** The object does not wait for its turn any more, but for something else or for nothing: what it was promised is void. */
    public synchronized void release(ObjectKey key) {
        promises.remove(key);
    }

    /** Who was told to come back and did not go yet. */
    public synchronized Waiting waiting() {
        long longest = promises.isEmpty()
                ? 0
                : timers.nanoTime() - promises.firstEntry().getValue().since();
        return new Waiting(promises.size(), Duration.ofNanos(longest));
    }

    /** Behind all that wait in that line. */
    private Promise promise(Line line, Turn turn, int writes, long since) {
        long due = Math.max(line.end, line.time(at) + debt());
        line.end = due + nanos(writes);
        return new Promise(turn, due, writes, since);
    }

    /** How long until anything is left; zero when something is. */
    private long debt() {
        return left > 0 ? 0 : nanos(1 - left);
    }

    private long nanos(double writes) {
        return (long) Math.ceil(writes / limits.perSecond() * NANOS_PER_SECOND);
    }

    private void refill() {
        long now = timers.nanoTime();
        left = Math.min(limits.burst(), left + (now - at) / NANOS_PER_SECOND * limits.perSecond());
        at = now;
    }
}
