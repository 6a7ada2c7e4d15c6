package io.osmhub.deploy.run;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/** The one Vert.x of the process, and how late its loops are. */
final class EventLoops {
    private static final Duration TICK = Duration.ofMillis(500);
    /** Over how long the longest delay is remembered. */
    private static final Duration WINDOW = Duration.ofSeconds(15);

    private static final long BLOCKED_MILLIS = 1_000;
    /** Scrapes of metrics and what else must not run on a loop; everything that waits has virtual threads. */
    private static final int WORKER_THREADS = 2;

    private final Vertx vertx;
    private final AtomicLong lastTick = new AtomicLong(System.nanoTime());
    private volatile long longestNanos;
    private volatile long longestAt = System.nanoTime();

    private EventLoops(Vertx vertx) {
        this.vertx = vertx;
    }

    static EventLoops start(int loops) {
        Vertx vertx = Vertx.vertx(new VertxOptions()
                .setEventLoopPoolSize(loops)
                .setWorkerPoolSize(WORKER_THREADS)
                .setInternalBlockingPoolSize(WORKER_THREADS)
                .setWarningExceptionTime(BLOCKED_MILLIS)
                .setWarningExceptionTimeUnit(TimeUnit.MILLISECONDS)
                // The image's file system is read-only, and nothing is served from files.
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        EventLoops started = new EventLoops(vertx);
        vertx.setPeriodic(TICK.toMillis(), ignored -> started.tick());
        return started;
    }

    Vertx vertx() {
        return vertx;
    }

    private void tick() {
        long now = System.nanoTime();
        long late = Math.max(0, now - lastTick.getAndSet(now) - TICK.toNanos());
        if (late >= longestNanos || now - longestAt > WINDOW.toNanos()) {
            longestNanos = late;
            longestAt = now;
        }
    }

    /** The longest delay within the last 15 s. */
    Duration lag() {
        return Duration.ofNanos(longestNanos);
    }

    /** How long a loop has not turned. */
    Duration stuckFor() {
        return Duration.ofNanos(Math.max(0, System.nanoTime() - lastTick.get() - TICK.toNanos()));
    }
}
