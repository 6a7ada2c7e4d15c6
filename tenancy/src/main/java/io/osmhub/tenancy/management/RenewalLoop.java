package io.osmhub.tenancy.management;

import static java.util.concurrent.TimeUnit.NANOSECONDS;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps one thing renewed: runs when woken, after the delay that the last run returned, and after a backoff that grows with
 * consecutive failures. Runs never overlap; a wake-up during a run causes another one after it, and a time set during a run is
 * kept if it is earlier than the delay that the run returns. No failure ends the loop. Thread-safe.
 *
 * <pre>
 *            wake, timer                    done
 *   waiting ------------> running ------------------> waiting (timer, or for a wake-up)
 *                           ^  |
 *                           +--+ woken meanwhile
 * </pre>
 */
public final class RenewalLoop {
    private static final Logger LOG = LoggerFactory.getLogger(RenewalLoop.class);

    private final String name;
    private final Supplier<ExponentialBackoff> backoff;
    private final Renewal renewal;
    private final FailureListener failureListener;
    private final RuntimeContext runtime;

    // Guarded by this.
    private boolean running;
    private boolean wokenMeanwhile;
    private boolean stopped;
    private Scheduler.@Nullable ScheduledTask timer;
    /** When the timer fires, in the scheduler's nanoseconds. */
    private long due;

    /** Consecutive failures. Confined to the running thread. */
    private int failures;

    /** What is renewed. */
    @FunctionalInterface
    public interface Renewal {
        /**
         * Does everything that is due now; may block.
         *
         * @return longest delay of the next run; null to keep what {@link #wakeAfter} set meanwhile, or to wait for {@link #wake}
         * @throws ApiFailure to run again after the backoff, at the earliest after its retry-after
         */
        @Nullable Duration renew() throws ApiFailure;
    }

    /** Called after a failed run, on its thread. */
    @FunctionalInterface
    public interface FailureListener {
        /** @param inARow consecutive failures; from 1 */
        void onFailed(String cause, int inARow);
    }

    /**
     * A waiting loop.
     *
     * @param name in the log line of an internal error, for example {@code "Webhook certificate renewal"}
     * @param backoff after failures; read after each
     */
    public RenewalLoop(
            String name,
            Supplier<ExponentialBackoff> backoff,
            Renewal renewal,
            FailureListener failureListener,
            RuntimeContext runtime) {
        this.name = name;
        this.backoff = backoff;
        this.renewal = renewal;
        this.failureListener = failureListener;
        this.runtime = runtime;
    }

    /** A waiting loop for a task that cannot fail with an {@link ApiFailure}, at an interval. */
    public static RenewalLoop every(Duration interval, String name, Runnable task, RuntimeContext runtime) {
        ExponentialBackoff backoff = new ExponentialBackoff(interval, interval);
        return new RenewalLoop(
                name,
                () -> backoff,
                () -> {
                    task.run();
                    return interval;
                },
                (cause, inARow) -> {},
                runtime);
    }

    /** Requests a run now, instead of at the time set. Must not block. */
    public void wake() {
        synchronized (this) {
            if (stopped) {
                return;
            }
            cancelTimer();
            if (running) {
                wokenMeanwhile = true;
                return;
            }
            running = true;
        }
        runtime.blockingExecutor().execute(this::run);
    }

    /** Requests a run after a delay, instead of at the time set. Must not block. */
    public synchronized void wakeAfter(Duration delay) {
        cancelTimer();
        if (!stopped) {
            due = runtime.scheduler().nanoTime() + NANOSECONDS.convert(delay);
            timer = runtime.scheduler().schedule(delay.isNegative() ? Duration.ZERO : delay, this::wake);
        }
    }

    /** Starts no further run; does not wait for a current one. */
    public synchronized void stop() {
        stopped = true;
        cancelTimer();
    }

    public synchronized boolean isStopped() {
        return stopped;
    }

    private boolean isDueWithin(Duration delay) {
        return timer != null && due - runtime.scheduler().nanoTime() <= NANOSECONDS.convert(delay);
    }

    private void cancelTimer() {
        if (timer != null) {
            timer.cancel();
            timer = null;
        }
    }

    private void run() {
        while (true) {
            Duration delay = isStopped() ? null : runOnce();
            synchronized (this) {
                if (!wokenMeanwhile || stopped) {
                    running = false;
                    // What failed waits for its backoff.
                    if (delay != null && (failures > 0 || !isDueWithin(delay))) {
                        wakeAfter(delay);
                    }
                    return;
                }
                wokenMeanwhile = false;
            }
        }
    }

    private @Nullable Duration runOnce() {
        try {
            Duration delay = renewal.renew();
            failures = 0;
            return delay;
        } catch (ApiFailure e) {
            return onFailed(e.text(), e.retryAfter());
        } catch (RuntimeException e) {
            // Must be retried, or what it renews would expire.
            LOG.error("{} failed unexpectedly", name, e);
            return onFailed("internal error; see the hub's log", null);
        }
    }

    private Duration onFailed(String cause, @Nullable Duration retryAfter) {
        failures++;
        failureListener.onFailed(cause, failures);
        return backoff.get().delayAfter(failures, retryAfter, runtime.random());
    }
}
