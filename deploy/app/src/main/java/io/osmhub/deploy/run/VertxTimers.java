package io.osmhub.deploy.run;

import io.netty.channel.EventLoop;
import io.osmhub.workersync.port.Timers;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The machine's clock, and alarms on one of the service's event loops. They are asked of the loop itself: Vert.x makes a context with
 * two queues for each timer that another thread sets, and a hub has several for every worker cluster.
 */
final class VertxTimers implements Timers {
    private static final Logger LOG = LoggerFactory.getLogger(VertxTimers.class);

    private final EventLoop loop;

    VertxTimers(Vertx vertx) {
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
    public Timer after(Duration delay, Runnable task) {
        Future<?> alarm = loop.schedule(() -> ring(task), delay.toMillis(), TimeUnit.MILLISECONDS);
        return () -> alarm.cancel(false);
    }

    /** What it throws would vanish in the future of the alarm. */
    private static void ring(Runnable task) {
        try {
            task.run();
        } catch (RuntimeException | Error e) {
            LOG.error("an alarm failed", e);
        }
    }
}
