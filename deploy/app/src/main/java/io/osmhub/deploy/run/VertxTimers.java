package io.osmhub.deploy.run;

import io.osmhub.workersync.port.Timers;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.time.Instant;

/** The machine's clock, and alarms on the service's event loops. */
final class VertxTimers implements Timers {
    private final Vertx vertx;

    VertxTimers(Vertx vertx) {
        this.vertx = vertx;
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
        // Vert.x knows no alarm sooner than a millisecond, and none later than 2^63 ms.
        long id = vertx.setTimer(Math.max(1, delay.toMillis()), ignored -> task.run());
        return () -> vertx.cancelTimer(id);
    }
}
