package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.port.Scheduler;
import io.vertx.core.Vertx;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VertxSchedulerTest {
    private final Vertx vertx = Vertx.vertx();

    @AfterEach
    void close() {
        vertx.close().toCompletionStage().toCompletableFuture().join();
    }

    /** Who finds that nothing is due yet may set no other timer. */
    @Test
    void noTimerRingsEarly() throws Exception {
        Scheduler scheduler = new VertxScheduler(vertx);
        Duration delay = Duration.ofNanos(1_990_000);

        for (int i = 0; i < 20; i++) {
            CompletableFuture<Long> rung = new CompletableFuture<>();
            long begun = scheduler.nanoTime();
            scheduler.schedule(delay, () -> rung.complete(scheduler.nanoTime()));

            assertThat(Duration.ofNanos(rung.get(30, TimeUnit.SECONDS) - begun)).isGreaterThanOrEqualTo(delay);
        }
    }

    @Test
    void theLongestDelayIsNoOverflow() {
        Scheduler scheduler = new VertxScheduler(vertx);

        scheduler.schedule(Duration.ofSeconds(Long.MAX_VALUE), () -> {}).cancel();
    }
}
