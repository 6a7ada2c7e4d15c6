package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;

import io.netty.util.concurrent.EventExecutor;
import io.vertx.core.Vertx;
import io.vertx.core.impl.VertxInternal;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class EventLoopsTest {
    private final EventLoops loops = EventLoops.start(2, Vertx::vertx);

    @AfterEach
    void close() {
        loops.vertx().close().toCompletionStage().toCompletableFuture().join();
    }

    private static void await(BooleanSupplier condition) {
        long begun = System.nanoTime();
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - begun)
                    .isLessThan(Duration.ofSeconds(30).toNanos());
            LockSupport.parkNanos(5_000_000);
        }
    }

    @Test
    void eachBlockedLoopIsNoticedAndShownInTheLag() {
        for (EventExecutor loop : ((VertxInternal) loops.vertx()).getEventLoopGroup()) {
            await(() -> loops.stuckFor().isZero());
            CountDownLatch free = new CountDownLatch(1);
            loop.execute(() -> {
                try {
                    free.await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                }
            });
            Duration before = loops.lag();

            try {
                await(() -> loops.stuckFor().compareTo(Duration.ofMillis(200)) > 0
                        && loops.lag().compareTo(before) > 0);
            } finally {
                free.countDown();
            }
        }
        await(() -> loops.stuckFor().isZero());
    }

    @Test
    void theHeartbeatNeedsNoVertxTimer() {
        for (long id = 0; id < 10; id++) {
            assertThat(loops.vertx().cancelTimer(id)).isFalse();
        }
    }
}
