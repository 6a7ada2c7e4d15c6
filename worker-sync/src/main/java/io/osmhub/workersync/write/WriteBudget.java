package io.osmhub.workersync.write;

import io.osmhub.core.settings.TenantSettings;
import io.osmhub.workersync.port.Timers;
import java.time.Duration;

/**
 * How many writes one worker cluster gets: a lasting rate and a burst. Nobody waits in here: who gets nothing is told when to
 * come back. Safe for use by many threads.
 */
public final class WriteBudget {
    private static final double NANOS_PER_SECOND = 1e9;

    private final Timers timers;
    private double perSecond;
    private double burst;
    private double left;
    private long at;

    public WriteBudget(Timers timers, TenantSettings.WriteBudget limits) {
        this.timers = timers;
        this.perSecond = limits.perSecond();
        this.burst = limits.burst();
        this.left = burst;
        this.at = timers.nanoTime();
    }

    /** Other limits from now on. */
    public synchronized void limit(TenantSettings.WriteBudget limits) {
        refill();
        perSecond = limits.perSecond();
        burst = limits.burst();
        left = Math.min(left, burst);
    }

    /**
     * Takes so many writes. A set of changes is not torn apart: it is let through while anything is left, and the others wait
     * for the debt.
     *
     * @return zero when they may go now, else how long to wait before asking again; nothing was taken then
     */
    public synchronized Duration take(int writes) {
        refill();
        if (left <= 0) {
            return Duration.ofNanos((long) ((1 - left) / perSecond * NANOS_PER_SECOND));
        }
        left -= writes;
        return Duration.ZERO;
    }

    private void refill() {
        long now = timers.nanoTime();
        left = Math.min(burst, left + (now - at) / NANOS_PER_SECOND * perSecond);
        at = now;
    }
}
