package io.osmhub.tenancy.management;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.ApiFailure.ApiFailureKind;
import io.osmhub.workersync.apiserver.ExponentialBackoff;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class RenewalLoopTest {
    private static final ExponentialBackoff BACKOFF =
            new ExponentialBackoff(Duration.ofSeconds(1), Duration.ofSeconds(8));

    private final VirtualTime time = new VirtualTime();
    private final RuntimeContext runtime = new RuntimeContext(time, time, new Random(1));
    private final List<Instant> runs = new ArrayList<>();
    private final List<String> failures = new ArrayList<>();
    private RenewalLoop.Renewal renewal = () -> null;
    private final RenewalLoop loop = new RenewalLoop(
            "Test", () -> BACKOFF, this::renew, (cause, inARow) -> failures.add(inARow + " " + cause), runtime);

    private @Nullable Duration renew() throws ApiFailure {
        runs.add(time.now());
        return renewal.renew();
    }

    private static ApiFailure failure() {
        return ApiFailure.withoutResponse(ApiFailureKind.TIMED_OUT, "timed out");
    }

    private List<Duration> pauses() {
        List<Duration> pauses = new ArrayList<>();
        for (int i = 1; i < runs.size(); i++) {
            pauses.add(Duration.between(runs.get(i - 1), runs.get(i)));
        }
        return pauses;
    }

    @Test
    void itRunsOnlyWhenWoken() {
        time.pass(Duration.ofDays(1));
        assertThat(runs).isEmpty();

        loop.wake();
        time.pass(Duration.ofDays(1));

        assertThat(runs).hasSize(1);
    }

    @Test
    void theNextRunIsAfterTheDelayThatTheLastOneReturned() {
        renewal = () -> Duration.ofMinutes(10);

        loop.wake();
        time.pass(Duration.ofMinutes(35));

        assertThat(pauses()).containsExactly(Duration.ofMinutes(10), Duration.ofMinutes(10), Duration.ofMinutes(10));
    }

    @Test
    void aWakeUpComesBeforeTheTimeSetAndReplacesIt() {
        renewal = () -> Duration.ofMinutes(10);
        loop.wake();
        time.pass(Duration.ofMinutes(4));

        loop.wake();
        time.pass(Duration.ofMinutes(9));

        assertThat(pauses()).containsExactly(Duration.ofMinutes(4));
    }

    @Test
    void theLastDelayReplacesEarlierOnes() {
        loop.wakeAfter(Duration.ofMinutes(1));
        loop.wakeAfter(Duration.ofMinutes(3));
        time.pass(Duration.ofMinutes(2));
        assertThat(runs).isEmpty();

        time.pass(Duration.ofMinutes(2));

        assertThat(runs).hasSize(1);
    }

    @Test
    void anyNumberOfWakeUpsDuringARunCauseOneMore() {
        renewal = () -> {
            if (runs.size() == 1) {
                loop.wake();
                loop.wake();
            }
            return null;
        };

        loop.wake();
        time.settle();

        assertThat(runs).hasSize(2);
    }

    @Test
    void aDelaySetDuringARunIsKeptIfTheRunReturnsNone() {
        renewal = () -> {
            if (runs.size() == 1) {
                loop.wakeAfter(Duration.ofMinutes(5));
            }
            return null;
        };

        loop.wake();
        time.pass(Duration.ofHours(1));

        assertThat(pauses()).containsExactly(Duration.ofMinutes(5));
    }

    @Test
    void anEarlierTimeSetDuringARunHoldsWhateverTheRunReturns() {
        renewal = () -> {
            if (runs.size() == 1) {
                loop.wakeAfter(Duration.ofSeconds(1));
            }
            return Duration.ofDays(1);
        };

        loop.wake();
        time.pass(Duration.ofDays(2));

        assertThat(pauses()).containsExactly(Duration.ofSeconds(1), Duration.ofDays(1));
    }

    @Test
    void aLaterTimeSetDuringARunDoesNotDelayTheNextOne() {
        renewal = () -> {
            if (runs.size() == 1) {
                loop.wakeAfter(Duration.ofDays(1));
            }
            return Duration.ofHours(1);
        };

        loop.wake();
        time.pass(Duration.ofMinutes(150));

        assertThat(pauses()).containsExactly(Duration.ofHours(1), Duration.ofHours(1));
    }

    @Test
    void aTimeReachedDuringARunCausesOneRunAfterItAndThenTheDelayReturned() {
        List<Runnable> during = new ArrayList<>(List.of(() -> {
            loop.wakeAfter(Duration.ofSeconds(1));
            time.pass(Duration.ofSeconds(2));
        }));
        renewal = () -> {
            List.copyOf(during).forEach(Runnable::run);
            during.clear();
            return Duration.ofHours(1);
        };

        loop.wake();
        time.pass(Duration.ofMinutes(61));

        assertThat(pauses()).containsExactly(Duration.ofSeconds(2), Duration.ofHours(1));
    }

    @Test
    void aFailedRunIsRepeatedAfterItsBackoffAlsoIfATimeWasSetDuringIt() {
        renewal = () -> {
            if (runs.size() == 1) {
                loop.wakeAfter(Duration.ZERO);
                throw new ApiFailure(ApiFailureKind.ANSWERED, 429, "TooManyRequests", "no", Duration.ofMinutes(2));
            }
            return null;
        };

        loop.wake();
        time.pass(Duration.ofMinutes(5));

        assertThat(pauses()).hasSize(1);
        assertThat(pauses().getFirst()).isGreaterThanOrEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void failuresAreRetriedWithGrowingDelaysUntilARunSucceeds() {
        renewal = () -> {
            if (runs.size() % 5 != 0) {
                throw failure();
            }
            return Duration.ofHours(1);
        };

        loop.wake();
        time.pass(Duration.ofMinutes(65));

        assertThat(failures)
                .containsExactly(
                        "1 timed out",
                        "2 timed out",
                        "3 timed out",
                        "4 timed out",
                        "1 timed out",
                        "2 timed out",
                        "3 timed out",
                        "4 timed out");
        assertThat(pauses().get(0)).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
        assertThat(pauses().get(3)).isBetween(Duration.ofSeconds(4), Duration.ofSeconds(8));
        assertThat(pauses().get(4)).isEqualTo(Duration.ofHours(1));
        assertThat(pauses().get(5)).isBetween(Duration.ofMillis(500), Duration.ofSeconds(1));
    }

    @Test
    void aServerThatAsksForTimeGetsIt() {
        renewal = () -> {
            if (runs.size() == 1) {
                throw new ApiFailure(
                        ApiFailureKind.ANSWERED, 429, "TooManyRequests", "too many requests", Duration.ofMinutes(2));
            }
            return null;
        };

        loop.wake();
        time.pass(Duration.ofMinutes(5));

        assertThat(pauses()).hasSize(1);
        assertThat(pauses().getFirst()).isBetween(Duration.ofMinutes(2), Duration.ofSeconds(150));
    }

    @Test
    void anInternalErrorDoesNotEndTheLoop() {
        renewal = () -> {
            if (runs.size() == 1) {
                throw new IllegalStateException("broken");
            }
            return null;
        };

        loop.wake();
        time.pass(Duration.ofMinutes(1));

        assertThat(failures).containsExactly("1 internal error; see the hub's log");
        assertThat(runs).hasSize(2);
    }

    @Test
    void aStoppedLoopNeverRunsAgain() {
        renewal = () -> {
            loop.stop();
            loop.wake();
            return Duration.ofSeconds(1);
        };

        loop.wake();
        time.pass(Duration.ofMinutes(1));
        loop.wake();
        loop.wakeAfter(Duration.ZERO);
        time.pass(Duration.ofMinutes(1));

        assertThat(runs).hasSize(1);
        assertThat(loop.isStopped()).isTrue();
    }

    @Test
    void runsNeverOverlap() throws InterruptedException {
        AtomicInteger concurrent = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();
        AtomicInteger count = new AtomicInteger();
        CountDownLatch done = new CountDownLatch(1);
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            RenewalLoop shared = new RenewalLoop(
                    "Test",
                    () -> BACKOFF,
                    () -> {
                        most.accumulateAndGet(concurrent.incrementAndGet(), Math::max);
                        LockSupport.parkNanos(1000);
                        concurrent.decrementAndGet();
                        if (count.incrementAndGet() >= 20) {
                            done.countDown();
                        }
                        return null;
                    },
                    (cause, inARow) -> {},
                    new RuntimeContext(time, threads, new Random(1)));
            for (int i = 0; i < 8; i++) {
                threads.execute(() -> {
                    while (done.getCount() > 0) {
                        shared.wake();
                        LockSupport.parkNanos(1000);
                    }
                });
            }
            assertThat(done.await(10, TimeUnit.SECONDS)).isTrue();
            shared.stop();
        }

        assertThat(most).hasValue(1);
    }
}
