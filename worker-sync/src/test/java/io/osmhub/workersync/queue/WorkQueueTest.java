package io.osmhub.workersync.queue;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.Actor;
import io.osmhub.workersync.fake.VirtualTime;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class WorkQueueTest {
    private final VirtualTime time = new VirtualTime();
    private final WorkQueue queue = new WorkQueue(time, time, new Random(1), 1);
    private final List<String> ran = new ArrayList<>();

    private TenantQueue<String> lane(String tenant) {
        return queue.createTenantQueue(10, (key, failures) -> {
            ran.add(tenant + key);
            return new RequeueDecision.Done();
        });
    }

    @Test
    void tenantsTakeTurns() {
        TenantQueue<String> large = lane("large");
        TenantQueue<String> small = lane("small");
        for (int i = 0; i < 10_000; i++) {
            large.add(" " + i, Urgency.FRESH);
        }

        small.add("", Urgency.FRESH);
        time.settle();

        assertThat(ran).hasSize(10_001);
        assertThat(ran.indexOf("small")).isLessThanOrEqualTo(2);
    }

    @Test
    void aTenantHasNoMoreRunsThanTheQueueLetsOne() {
        List<Runnable> started = new ArrayList<>();
        WorkQueue capped = new WorkQueue(started::add, time, new Random(1), 8, 3);
        TenantQueue<String> greedy = capped.createTenantQueue(100, (key, failures) -> new RequeueDecision.Done());
        for (int i = 0; i < 60; i++) {
            greedy.add("" + i, Urgency.FRESH);
        }
        assertThat(started).hasSize(3);

        greedy.setMaxParallel(100);
        capped.createTenantQueue(1, (key, failures) -> new RequeueDecision.Done())
                .add("other", Urgency.FRESH);

        assertThat(started).hasSize(4);
    }

    @Test
    void aKeyThatWaitsIsNotAddedTwice() {
        TenantQueue<String> lane = lane("");
        lane.add("a", Urgency.FRESH);
        lane.add("b", Urgency.FRESH);
        lane.add("b", Urgency.RESYNC);
        lane.add("b", Urgency.FRESH);

        time.settle();

        assertThat(ran).containsExactly("a", "b");
    }

    @Test
    void aKeyThatIsAddedWhileItRunsRunsOnceMore() {
        AtomicInteger runs = new AtomicInteger();
        List<TenantQueue<String>> self = new ArrayList<>();
        self.add(queue.createTenantQueue(10, (key, failures) -> {
            if (runs.incrementAndGet() == 1) {
                self.getFirst().add(key, Urgency.FRESH);
                self.getFirst().add(key, Urgency.FRESH);
            }
            return new RequeueDecision.Done();
        }));

        self.getFirst().add("a", Urgency.FRESH);
        time.settle();

        assertThat(runs).hasValue(2);
        assertThat(self.getFirst().waiting()).isZero();
    }

    @Test
    void aRetryRunsAtItsLatestTimeEvenIfNobodyRetriesIt() {
        queue.<String>createTenantQueue(10, (key, failures) -> {
                    ran.add(key + failures);
                    return failures == 0
                            ? new RequeueDecision.Retry(Actor.TENANT, null, Duration.ofHours(1))
                            : new RequeueDecision.Done();
                })
                .add("a", Urgency.FRESH);
        time.pass(Duration.ofMinutes(59));
        assertThat(ran).containsExactly("a0");

        time.pass(Duration.ofMinutes(1));

        assertThat(ran).containsExactly("a0", "a1");
    }

    @Test
    void onlyAChangeThatWaitsForItsTurnIsWaiting() {
        TenantQueue<String> tenantQueue = queue.createTenantQueue(10);
        tenantQueue.start((key, failures) -> {
            ran.add(key + " " + queue.isChangeWaiting());
            return new RequeueDecision.Done();
        });
        tenantQueue.pause();
        tenantQueue.add("a", Urgency.RESYNC);
        tenantQueue.add("b", Urgency.FRESH);
        tenantQueue.add("c", Urgency.FRESH);
        tenantQueue.resume();
        time.settle();

        assertThat(ran).containsExactly("b true", "c false", "a false");
    }

    @Test
    void aQueueWithoutAHandlerKeepsItsKeysUntilItStarts() {
        TenantQueue<String> tenantQueue = queue.createTenantQueue(10);
        tenantQueue.add("a", Urgency.FRESH);
        tenantQueue.resume();
        time.settle();
        assertThat(queue.depth()).isZero();
        assertThat(queue.isChangeWaiting()).isFalse();
        assertThat(tenantQueue.waiting()).isOne();

        tenantQueue.start((key, failures) -> {
            ran.add(key);
            return new RequeueDecision.Done();
        });
        time.settle();

        assertThat(ran).containsExactly("a");
    }

    @Test
    void changesGoBeforeResyncButDoNotStarveIt() {
        TenantQueue<String> lane = lane("");
        for (int i = 0; i < 20; i++) {
            lane.add("resync" + i, Urgency.RESYNC);
        }
        for (int i = 0; i < 20; i++) {
            lane.add("fresh" + i, Urgency.FRESH);
        }

        time.settle();

        assertThat(ran.subList(2, 20))
                .filteredOn(key -> key.startsWith("fresh"))
                .hasSizeGreaterThan(14);
        assertThat(ran.subList(2, 20)).anyMatch(key -> key.startsWith("resync"));
    }

    @Test
    void aTenantsMistakeIsNotTriedAgainUntilSomethingChanges() {
        AtomicInteger runs = new AtomicInteger();
        TenantQueue<String> lane = queue.createTenantQueue(10, (key, failures) -> {
            runs.incrementAndGet();
            return new RequeueDecision.Retry(Actor.TENANT, null);
        });
        lane.add("a", Urgency.FRESH);

        time.pass(Duration.ofDays(1));

        assertThat(runs).hasValue(1);
        lane.add("a", Urgency.FRESH);
        time.settle();
        assertThat(runs).hasValue(2);
    }

    @Test
    void triesAgainLaterEachTimeByWhoHasToAct() {
        assertThat(runsWithin(Actor.HUB, Duration.ofSeconds(10))).isBetween(6, 11);
        assertThat(runsWithin(Actor.OPERATOR, Duration.ofSeconds(10))).isBetween(3, 5);
        assertThat(runsWithin(Actor.OPERATOR, Duration.ofHours(2))).isBetween(25, 60);
    }

    private int runsWithin(Actor actor, Duration span) {
        AtomicInteger runs = new AtomicInteger();
        TenantQueue<String> lane = queue.createTenantQueue(10, (key, failures) -> {
            assertThat(failures).isEqualTo(runs.getAndIncrement());
            return new RequeueDecision.Retry(actor, null);
        });
        lane.add("a", Urgency.FRESH);
        time.pass(span);
        lane.close();
        return runs.get();
    }

    @Test
    void aServersWishToBeAskedLaterIsRespected() {
        AtomicInteger runs = new AtomicInteger();
        TenantQueue<String> lane = queue.createTenantQueue(10, (key, failures) -> {
            runs.incrementAndGet();
            return new RequeueDecision.Retry(Actor.HUB, Duration.ofSeconds(60));
        });
        lane.add("a", Urgency.FRESH);

        time.pass(Duration.ofSeconds(59));

        assertThat(runs).hasValue(1);
        time.pass(Duration.ofSeconds(17));
        assertThat(runs).hasValue(2);
    }

    @Test
    void aChangeEndsAPause() {
        AtomicInteger runs = new AtomicInteger();
        TenantQueue<String> lane = queue.createTenantQueue(
                10,
                (key, failures) -> runs.incrementAndGet() == 1
                        ? new RequeueDecision.RequeueAfter(Duration.ofHours(1))
                        : new RequeueDecision.Done());
        lane.add("a", Urgency.FRESH);
        time.settle();

        lane.add("a", Urgency.FRESH);
        time.pass(Duration.ofHours(2));

        assertThat(runs).hasValue(2);
    }

    @Test
    void theEarlierOfTwoMomentsCounts() {
        TenantQueue<String> lane = lane("");
        lane.addAfter("a", Duration.ofSeconds(10));
        lane.addAfter("a", Duration.ofSeconds(60));

        time.pass(Duration.ofSeconds(11));
        assertThat(ran).containsExactly("a");
        time.pass(Duration.ofSeconds(60));

        assertThat(ran).hasSize(1);
    }

    @Test
    void startsNothingWhileItIsHeldAndForgetsNothing() {
        TenantQueue<String> lane = lane("");
        lane.pause();
        lane.add("a", Urgency.FRESH);
        time.pass(Duration.ofSeconds(5));
        assertThat(ran).isEmpty();
        assertThat(lane.oldestWaiting()).isEqualTo(Duration.ofSeconds(5));
        assertThat(queue.depth()).isZero();
        assertThat(queue.oldestWaiting()).isZero();

        lane.resume();
        time.settle();

        assertThat(ran).containsExactly("a");
        assertThat(queue.oldestWaiting()).isZero();
    }

    @Test
    void tellsForHowLongNothingMovesWhileKeysWait() {
        WorkQueue stuck = new WorkQueue(task -> {}, time, new Random(1), 1);
        TenantQueue<String> lane = stuck.createTenantQueue(10, (key, failures) -> new RequeueDecision.Done());
        time.pass(Duration.ofMinutes(10));
        assertThat(stuck.stalled()).isZero();

        lane.add("runs for ever", Urgency.FRESH);
        time.pass(Duration.ofMinutes(1));
        assertThat(stuck.stalled()).isZero();

        lane.add("waits", Urgency.FRESH);
        time.pass(Duration.ofMinutes(2));
        assertThat(stuck.stalled()).isEqualTo(Duration.ofMinutes(2));
    }

    @Test
    void aClosedLaneRunsNothing() {
        TenantQueue<String> lane = lane("");
        lane.addAfter("later", Duration.ofSeconds(1));
        lane.pause();
        lane.add("now", Urgency.FRESH);

        lane.close();
        lane.resume();
        time.pass(Duration.ofMinutes(1));

        assertThat(ran).isEmpty();
        assertThat(time.alarmsSet()).isZero();
    }

    @Test
    @Timeout(60)
    void neverRunsAKeyTwiceAtATimeNorMoreThanAllowed() throws InterruptedException {
        try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
            WorkQueue real = new WorkQueue(threads, time, new Random(1), 8);
            Set<String> now = ConcurrentHashMap.newKeySet();
            AtomicInteger together = new AtomicInteger();
            AtomicInteger mostTogether = new AtomicInteger();
            AtomicInteger mistakes = new AtomicInteger();
            CountDownLatch once = new CountDownLatch(300);
            Set<String> seen = ConcurrentHashMap.newKeySet();
            List<TenantQueue<String>> lanes = new ArrayList<>();
            for (int tenant = 0; tenant < 3; tenant++) {
                String name = "t" + tenant;
                AtomicInteger own = new AtomicInteger();
                lanes.add(real.createTenantQueue(4, (key, failures) -> {
                    if (!now.add(name + key) || own.incrementAndGet() > 4) {
                        mistakes.incrementAndGet();
                    }
                    mostTogether.accumulateAndGet(together.incrementAndGet(), Math::max);
                    LockSupport.parkNanos(1_000);
                    if (seen.add(name + key)) {
                        once.countDown();
                    }
                    together.decrementAndGet();
                    own.decrementAndGet();
                    now.remove(name + key);
                    return new RequeueDecision.Done();
                }));
            }
            for (int i = 0; i < 3_000; i++) {
                lanes.get(i % 3).add(" " + (i / 3) % 100, i % 2 == 0 ? Urgency.FRESH : Urgency.RESYNC);
            }

            assertThat(once.await(30, TimeUnit.SECONDS)).isTrue();
            while (!lanes.stream().allMatch(TenantQueue::isIdle)) {
                Thread.onSpinWait();
            }
            assertThat(mistakes).hasValue(0);
            assertThat(mostTogether.get()).isLessThanOrEqualTo(8);
        }
    }
}
