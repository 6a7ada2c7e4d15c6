package io.osmhub.deploy.run;

import io.netty.channel.EventLoop;
import io.osmhub.workersync.port.Scheduler;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The system clock, and timers on an event loop. Uses the loop directly: Vert.x allocates a context with two
 * queues per timer set from another thread, and a hub has several timers per worker cluster.
 */
public final class VertxScheduler implements Scheduler {
    private static final Logger LOG = LoggerFactory.getLogger(VertxScheduler.class);

    private final EventLoop loop;

    public VertxScheduler(Vertx vertx) {
        this.loop = ((VertxInternal) vertx).createEventLoopContext().nettyEventLoop();
    }

    @Override
    public Instant now() {
        return Instant.now();
    }

    @Override
    public long nanoTime() {
        return System.nanoTime();
    }

    @Override
    public ScheduledTask schedule(Duration delay, Runnable task) {
        Future<?> alarm = loop.schedule(() -> ring(task), TimeUnit.NANOSECONDS.convert(delay), TimeUnit.NANOSECONDS);
        return () -> alarm.cancel(false);
    }

    /** The timer's future would swallow exceptions. */
    private static void ring(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("Timer task failed", e);
        }
    }
}
