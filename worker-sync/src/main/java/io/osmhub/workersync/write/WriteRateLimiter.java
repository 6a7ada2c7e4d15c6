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

    private final Scheduler scheduler;
    private final ReservationQueue urgentQueue = new ReservationQueue();
    private final ReservationQueue patientQueue = new ReservationQueue();
    /** Longest waiting first. */
    private final SequencedMap<ObjectKey, WriteReservation> reservations = new LinkedHashMap<>();

    private TenantSettings.WriteBudget limits;
    private double available;
    private long refilledAt;

    public enum WritePriority {
        /** A machine or a user waits for it. */
        FIRST,
        /** The published content suffices for now. */
        PATIENT
    }

    /** Reservations in order, by a clock that other queues can hold up. */
    private static final class ReservationQueue {
        private long heldUpNanos;
        private long endNanos;

        long time(long now) {
            return now - heldUpNanos;
        }

        boolean isOver(long now) {
            return endNanos - time(now) <= 0;
        }

        void delay(long now, long nanos) {
            if (!isOver(now)) {
                heldUpNanos += nanos;
            }
        }
    }

    /**
     * @param due by the queue's clock
     * @param since when it was first requested
     */
    private record WriteReservation(WritePriority priority, long due, int writes, long since) {}

    /** Number of waiting objects, and the longest waiting time. */
    public record WaitingWrites(int count, Duration longest) {}

    public WriteRateLimiter(Scheduler scheduler, TenantSettings.WriteBudget limits) {
        this.scheduler = scheduler;
        this.limits = limits;
        available = limits.burst();
        refilledAt = scheduler.nanoTime();
        begin(refilledAt);
    }

    /** Changes the limits and voids all reservations: waiting callers must ask again. */
    public synchronized void setLimits(TenantSettings.WriteBudget newLimits) {
        if (newLimits.equals(limits)) {
            return;
        }
        refill();
        limits = newLimits;
        available = Math.min(available, newLimits.burst());
        reservations.clear();
        begin(refilledAt);
    }

    private void begin(long now) {
        urgentQueue.endNanos = urgentQueue.time(now);
        patientQueue.endNanos = patientQueue.time(now);
    }

    /**
     * Reserves writes for one object. A set of changes is never split: it passes while any budget remains, and later ones wait
     * for the debt.
     *
     * @return zero to write now; else how long to wait before asking again, with nothing reserved
     */
    public synchronized Duration reserve(ObjectKey key, int writes, WritePriority priority) {
        refill();
        ReservationQueue queue = priority == WritePriority.FIRST ? urgentQueue : patientQueue;
        WriteReservation reservation = reservations.get(key);
        long since = reservation == null ? refilledAt : reservation.since();
        if (reservation != null && reservation.priority() != priority) {
            reservation = null;
        }
        boolean isDue =
                reservation == null ? queue.isOver(refilledAt) : reservation.due() - queue.time(refilledAt) <= 0;
        if (isDue && available > 0 && (priority == WritePriority.FIRST || urgentQueue.isOver(refilledAt))) {
            reservations.remove(key);
            available -= writes;
            if (priority == WritePriority.FIRST) {
                patientQueue.delay(refilledAt, nanos(writes));
            }
            if (reservation != null && writes > reservation.writes()) {
                queue.delay(refilledAt, nanos(writes - reservation.writes()));
            }
            return Duration.ZERO;
        }
        if (reservation == null) {
            reservation = reserveNext(queue, priority, writes, since);
            reservations.put(key, reservation);
        }
        long urgentDelay = priority == WritePriority.FIRST ? 0 : urgentQueue.endNanos - urgentQueue.time(refilledAt);
        return Duration.ofNanos(Math.max(Math.max(reservation.due() - queue.time(refilledAt), urgentDelay), debt()));
    }

    /** The object no longer waits for the budget; voids its reservation. */
    public synchronized void release(ObjectKey key) {
        reservations.remove(key);
    }

    /** Reservations that have not been used. */
    public synchronized WaitingWrites waiting() {
        long longest = reservations.isEmpty()
                ? 0
                : scheduler.nanoTime() - reservations.firstEntry().getValue().since();
        return new WaitingWrites(reservations.size(), Duration.ofNanos(longest));
    }

    /** Appends to the queue. */
    private WriteReservation reserveNext(ReservationQueue queue, WritePriority priority, int writes, long since) {
        long due = Math.max(queue.endNanos, queue.time(refilledAt) + debt());
        queue.endNanos = due + nanos(writes);
        return new WriteReservation(priority, due, writes, since);
    }

    /** Time until budget is available; zero if it is. */
    private long debt() {
        return available > 0 ? 0 : nanos(1 - available);
    }

    private long nanos(double writes) {
        return (long) Math.ceil(writes / limits.perSecond() * NANOS_PER_SECOND);
    }

    private void refill() {
        long now = scheduler.nanoTime();
        available = Math.min(limits.burst(), available + (now - refilledAt) / NANOS_PER_SECOND * limits.perSecond());
        refilledAt = now;
    }
}
