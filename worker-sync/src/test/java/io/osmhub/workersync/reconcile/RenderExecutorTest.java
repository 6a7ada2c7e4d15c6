package io.osmhub.workersync.reconcile;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RenderExecutorTest {
    /** Renderings submitted to the executor; each ends when the test runs it. */
    private final Queue<Runnable> started = new ArrayDeque<>();

    private final List<String> order = new ArrayList<>();
    private final Executor callers = Executors.newVirtualThreadPerTaskExecutor();
    private final CountDownLatch end = new CountDownLatch(1);
    private long nanos = Long.MAX_VALUE - 5;

    @AfterEach
    void release() {
        end.countDown();
    }

    private RenderExecutor threads(int count) {
        return new RenderExecutor(started::add, count, () -> nanos);
    }

    /** Requests a rendering with this virtual duration. */
    private void ask(RenderExecutor threads, String tenant, int millis) {
        threads.submit(tenant, () -> {
            order.add(tenant);
            nanos += TimeUnit.MILLISECONDS.toNanos(millis);
        });
    }

    private void runAll() {
        while (!started.isEmpty()) {
            started.remove().run();
        }
    }

    @Test
    void oneTenantsRenderingsLeaveAThreadToTheOthers() throws Exception {
        RenderExecutor threads = RenderExecutor.start(2);
        CountDownLatch looping = new CountDownLatch(1);
        for (int i = 0; i < 60; i++) {
            callers.execute(() -> threads.call("hostile", () -> {
                looping.countDown();
                return await(end);
            }));
        }
        looping.await();

        String rendered = CompletableFuture.supplyAsync(() -> threads.call("good", () -> "rendered"), callers)
                .get(30, TimeUnit.SECONDS);

        assertThat(rendered).isEqualTo("rendered");
    }

    private static boolean await(CountDownLatch latch) {
        try {
            return latch.await(60, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Test
    void oneThreadIsSharedByAllInTurns() {
        RenderExecutor threads = threads(1);
        for (int i = 0; i < 3; i++) {
            ask(threads, "a", 10);
        }
        ask(threads, "b", 10);
        ask(threads, "c", 10);

        runAll();

        assertThat(order).containsExactly("a", "b", "c", "a", "a");
    }

    @Test
    void theTenantThatUsedLessTimeGoesFirst() {
        RenderExecutor threads = threads(1);
        for (int i = 0; i < 3; i++) {
            ask(threads, "slow", 1000);
        }
        for (int i = 0; i < 5; i++) {
            ask(threads, "quick", 1);
        }

        runAll();

        assertThat(order).containsExactly("slow", "quick", "quick", "quick", "quick", "quick", "slow", "slow");
    }

    @Test
    void whatATenantUsedIsNotForgottenBetweenItsRenderings() {
        RenderExecutor threads = threads(1);
        ask(threads, "slow", 1000);
        for (int i = 0; i < 3; i++) {
            ask(threads, "quick", 1);
        }
        started.remove().run();

        ask(threads, "slow", 1000);
        runAll();

        assertThat(order).containsExactly("slow", "quick", "quick", "quick", "slow");
    }

    @Test
    void nothingIsSavedUpWhileIdle() {
        RenderExecutor threads = threads(1);
        for (int i = 0; i < 10; i++) {
            ask(threads, "busy", 100);
        }
        for (int i = 0; i < 5; i++) {
            started.remove().run();
        }

        for (int i = 0; i < 5; i++) {
            ask(threads, "new", 100);
        }
        runAll();

        assertThat(order.subList(5, 15))
                .startsWith("busy", "new", "busy", "new")
                .endsWith("busy", "new");
    }

    @Test
    void severalThreadsAreAllInUseWhenSeveralTenantsAsk() {
        RenderExecutor threads = threads(3);
        for (int i = 0; i < 4; i++) {
            ask(threads, "a", 1);
        }
        assertThat(started).hasSize(2);

        ask(threads, "b", 1);
        assertThat(started).hasSize(3);

        runAll();
        assertThat(order).hasSize(5);
    }

    @Test
    void givesWhatTheWorkThrows() {
        RenderExecutor threads = new RenderExecutor(Runnable::run, 1, () -> nanos);
        AtomicInteger runs = new AtomicInteger();

        assertThatThrownBy(() -> threads.call("a", () -> {
                    throw new IllegalStateException("no good");
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no good");
        assertThatThrownBy(() -> threads.call("a", () -> {
                    throw new StackOverflowError();
                }))
                .isInstanceOf(StackOverflowError.class);

        assertThat(threads.call("a", runs::incrementAndGet)).isEqualTo(1);
    }
}
