package io.osmhub.deploy.run;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BackgroundExecutorTest {
    @Test
    void dropsTasksAfterTheThreadsWereShutDown() {
        ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
        List<String> ran = new ArrayList<>();
        threads.shutdownNow();

        new BackgroundExecutor(threads).execute(() -> ran.add("task"));

        assertThat(ran).isEmpty();
    }

    @Test
    void rejectsTasksThatRunningThreadsRefuse() {
        try (ThreadPoolExecutor full = new ThreadPoolExecutor(1, 1, 0, TimeUnit.SECONDS, new SynchronousQueue<>())) {
            BackgroundExecutor background = new BackgroundExecutor(full);
            CountDownLatch end = new CountDownLatch(1);
            background.execute(() -> awaitQuietly(end));

            assertThatExceptionOfType(RejectedExecutionException.class).isThrownBy(() -> background.execute(() -> {}));
            end.countDown();
        }
    }

    private static void awaitQuietly(CountDownLatch end) {
        try {
            end.await();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
