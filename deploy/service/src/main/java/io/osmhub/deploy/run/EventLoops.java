package io.osmhub.deploy.run;

import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.file.FileSystemOptions;
import io.vertx.core.impl.VertxInternal;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;

/** The process's Vert.x instance, and the delay of its event loops. */
final class EventLoops {
    private static final Duration TICK = Duration.ofMillis(500);
    /** How long the longest delay is reported. */
    private static final Duration WINDOW = Duration.ofSeconds(15);

    private static final long BLOCKED_MILLIS = 1_000;
    /** For scrapes and other work that must not run on an event loop; blocking work uses virtual threads. */
    private static final int WORKER_THREADS = 2;

    private final Vertx vertx;
    private final List<Heartbeat> heartbeats = new ArrayList<>();

    private EventLoops(Vertx vertx) {
        this.vertx = vertx;
    }

    static EventLoops start(int loops, Function<VertxOptions, Vertx> create) {
        Vertx vertx = create.apply(new VertxOptions()
                .setEventLoopPoolSize(loops)
                .setWorkerPoolSize(WORKER_THREADS)
                .setInternalBlockingPoolSize(WORKER_THREADS)
                .setWarningExceptionTime(BLOCKED_MILLIS)
                .setWarningExceptionTimeUnit(TimeUnit.MILLISECONDS)
                // The image's file system is read-only, and no files are served.
                .setFileSystemOptions(
                        new FileSystemOptions().setFileCachingEnabled(false).setClassPathResolvingEnabled(false)));
        EventLoops started = new EventLoops(vertx);
        // Use the loop's own scheduler: any code can cancel a Vert.x timer by its id.
        for (EventExecutor loop : ((VertxInternal) vertx).getEventLoopGroup()) {
            Heartbeat heartbeat = new Heartbeat();
            started.heartbeats.add(heartbeat);
            var _ = loop.scheduleAtFixedRate(heartbeat::beat, 0, TICK.toMillis(), TimeUnit.MILLISECONDS);
        }
        return started;
    }

    Vertx vertx() {
        return vertx;
    }

    /** The longest delay of a loop within the last 15 s, or since a loop blocked. */
    Duration lag() {
        return longest(Heartbeat::lag);
    }

    /** How long a loop has been blocked. */
    Duration stuckFor() {
        return longest(Heartbeat::stuckFor);
    }

    private Duration longest(Function<Heartbeat, Duration> delay) {
        return heartbeats.stream().map(delay).max(Duration::compareTo).orElse(Duration.ZERO);
    }

    /** Delays of one loop. */
    private static final class Heartbeat {
        private volatile long last = System.nanoTime();
        private volatile long longestNanos;
        private volatile long longestAt = last;

        void beat() {
            long now = System.nanoTime();
            long late = Math.max(0, now - last - TICK.toNanos());
            last = now;
            if (late >= longestNanos || now - longestAt > WINDOW.toNanos()) {
                longestNanos = late;
                longestAt = now;
            }
        }

        Duration lag() {
            Duration stuck = stuckFor();
            Duration longest = Duration.ofNanos(longestNanos);
            return stuck.compareTo(longest) > 0 ? stuck : longest;
        }

        Duration stuckFor() {
            return Duration.ofNanos(Math.max(0, System.nanoTime() - last - TICK.toNanos()));
        }
    }
}
