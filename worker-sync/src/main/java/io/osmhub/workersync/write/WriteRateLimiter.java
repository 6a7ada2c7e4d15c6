package io.osmhub.workersync.write;

import io.osmhub.core.settings.TenantSettings;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.SequencedMap;

/**
 * Limits the writes to one worker cluster: a sustained rate and a burst. Never blocks: a rejected caller gets a reservation and a
 * delay, so that each waiting caller returns once, at its own time. An unused reservation does not delay others. Thread-safe.
 */
public final class WriteRateLimiter {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Scheduler timers;
    private final ReservationQueue first = new ReservationQueue();
    private final ReservationQueue patient = new ReservationQueue();
    /** Longest waiting first. */
    private final SequencedMap<ObjectKey, WriteReservation> promises = new LinkedHashMap<>();

    private TenantSettings.WriteBudget limits;
    private double left;
    private long at;

    public enum WritePriority {
        /** A machine or a user waits for it. */
        FIRST,
        /** The published content suffices for now. */
        PATIENT
    }

    /** Reservations in order, by a clock that other queues can hold up. */
    private static final class ReservationQueue {
        private long heldUp;
        private long end;

        long time(long now) {
            return now - heldUp;
        }

        boolean isOver(long now) {
            return end - time(now) <= 0;
        }

        void delay(long now, long nanos) {
            if (!isOver(now)) {
                heldUp += nanos;
            }
        }
    }

    /**
     * @param due by the queue's clock
     * @param since when it was first requested
     */
    private record WriteReservation(WritePriority turn, long due, int writes, long since) {}

    /** Number of waiting objects, and the longest waiting time. */
    public record WaitingWrites(int count, Duration longest) {}

    public WriteRateLimiter(Scheduler timers, TenantSettings.WriteBudget limits) {
        this.timers = timers;
        this.limits = limits;
        left = limits.burst();
        at = timers.nanoTime();
        begin(at);
    }

    /** Changes the limits and voids all reservations: waiting callers must ask again. */
    public synchronized void setLimits(TenantSettings.WriteBudget now) {
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
     * Reserves writes for one object. A set of changes is never split: it passes while any budget remains, and later ones wait
     * for the debt.
     *
     * @return zero to write now; else how long to wait before asking again, with nothing reserved
     */
    public synchronized Duration reserve(ObjectKey key, int writes, WritePriority turn) {
        refill();
        ReservationQueue line = turn == WritePriority.FIRST ? first : patient;
        WriteReservation promise = promises.get(key);
        long since = promise == null ? at : promise.since();
        if (promise != null && promise.turn() != turn) {
            promise = null;
        }
        boolean isTurn = promise == null ? line.isOver(at) : promise.due() - line.time(at) <= 0;
        if (isTurn && left > 0 && (turn == WritePriority.FIRST || first.isOver(at))) {
            promises.remove(key);
            left -= writes;
            if (turn == WritePriority.FIRST) {
                patient.delay(at, nanos(writes));
            }
            if (promise != null && writes > promise.writes()) {
                line.delay(at, nanos(writes - promise.writes()));
            }
            return Duration.ZERO;
        }
        if (promise == null) {
            promise = promise(line, turn, writes, since);
            promises.put(key, promise);
        }
        long othersFirst = turn == WritePriority.FIRST ? 0 : first.end - first.time(at);
        return Duration.ofNanos(Math.max(Math.max(promise.due() - line.time(at), othersFirst), debt()));
    }

    /** The object no longer waits for the budget; voids its reservation. */
    public synchronized void release(ObjectKey key) {
        promises.remove(key);
    }

    /** Reservations that have not been used. */
    public synchronized WaitingWrites waiting() {
        long longest = promises.isEmpty()
                ? 0
                : timers.nanoTime() - promises.firstEntry().getValue().since();
        return new WaitingWrites(promises.size(), Duration.ofNanos(longest));
    }

    /** Appends to the queue. */
    private WriteReservation promise(ReservationQueue line, WritePriority turn, int writes, long since) {
        long due = Math.max(line.end, line.time(at) + debt());
        line.end = due + nanos(writes);
        return new WriteReservation(turn, due, writes, since);
    }

    /** Time until budget is available; zero if it is. */
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
