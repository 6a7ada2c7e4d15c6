package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.tenancy.client.Await;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ConnectLimiterTest {
    private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
    private final ConnectLimiter limiter = new ConnectLimiter(2, executor);
    private final Semaphore answers = new Semaphore(0);
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger most = new AtomicInteger();
    private final AtomicInteger ended = new AtomicInteger();

    @AfterEach
    void stop() {
        answers.release(1_000);
        executor.close();
    }

    private void add(boolean first) {
        limiter.run(first, () -> {
            most.accumulateAndGet(running.incrementAndGet(), Math::max);
            answers.acquireUninterruptibly();
            running.decrementAndGet();
            ended.incrementAndGet();
        });
    }

    @Test
    void runsNoMoreThanItsBoundAndTheOthersWhenThoseHaveEnded() {
        for (int i = 0; i < 20; i++) {
            add(true);
        }
        Await.until(() -> running.get() == 2);

        answers.release(20);
        Await.until(() -> ended.get() == 20);

        assertThat(most).hasValue(2);
    }

    @Test
    void clustersThatAreDownDoNotDelayNewOnes() {
        for (int i = 0; i < 100; i++) {
            add(false);
        }
        Await.until(() -> running.get() == 8);

        add(true);
        Await.until(() -> running.get() == 9);

        assertThat(ended).hasValue(0);
    }

    @Test
    void anAttemptThatThrowsGivesItsPlaceBack() {
        for (int i = 0; i < 3; i++) {
            limiter.run(true, () -> {
                throw new IllegalStateException("expected");
            });
        }

        add(true);
        add(true);

        Await.until(() -> running.get() == 2);
    }
}
