package io.osmhub.workersync.apiserver;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

final class MemoryBudgetTest {
    private static final int CAPACITY = 1000;

    private final MemoryBudget budget = new MemoryBudget(CAPACITY, 0);

    private static int takeAll(MemoryBudget.Share share) {
        int taken = 0;
        while (share.take(1)) {
            taken++;
        }
        return taken;
    }

    @Test
    void oneShareAloneGetsHalf() {
        assertThat(takeAll(budget.share())).isEqualTo(CAPACITY / 2);
    }

    @Test
    void manyGreedySharesLeaveAsMuchAsEachOfThemHas() {
        List<MemoryBudget.Share> greedy =
                IntStream.range(0, 24).mapToObj(i -> budget.share()).toList();
        for (int round = 0; round < CAPACITY; round++) {
            greedy.forEach(share -> share.take(1));
        }

        assertThat(greedy).allSatisfy(share -> assertThat(share.taken()).isBetween(39L, 41L));
        assertThat(budget.share().take(18)).as("a modest share beside them").isTrue();
    }

    @Test
    void theFirstBytesOfAShareAreNeverRefused() {
        MemoryBudget small = new MemoryBudget(100, 10);
        for (int i = 0; i < 10; i++) {
            takeAll(small.share());
        }

        MemoryBudget.Share share = small.share();

        assertThat(share.take(10)).isTrue();
        assertThat(share.take(50)).isFalse();
        assertThat(share.taken()).isEqualTo(10);
    }

    @Test
    void whatIsGivenBackIsFreeAgain() {
        MemoryBudget partly = new MemoryBudget(100, 10);
        MemoryBudget.Share share = partly.share();
        share.take(8);
        share.take(40);
        assertThat(partly.used()).isEqualTo(38);

        share.give(48);

        assertThat(partly.used()).isZero();
        assertThat(share.take(60)).isTrue();
    }

    @Test
    void aThreadWaitsUntilAnotherGivesBack() throws Exception {
        MemoryBudget.Share first = budget.share();
        first.take(500);
        MemoryBudget.Share second = budget.share();
        assertThat(second.take(400)).isFalse();
        CompletableFuture<Boolean> waiting = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                waiting.complete(second.take(400, Duration.ofMinutes(1)));
            } catch (InterruptedException e) {
                waiting.completeExceptionally(e);
            }
        });

        first.give(500);

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aTextThatTookNothingDoesNotTakeTheLockOfAllServers() throws Exception {
        ReceivedBytes text = new ReceivedBytes("a line", 100, budget.share(), ReceivedBytes.Taking.AT_ONCE);

        synchronized (budget) {
            assertThat(CompletableFuture.supplyAsync(() -> {
                                text.clear();
                                return text.isEmpty();
                            })
                            .get(30, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    void aClosedShareGivesAllBackOnce() {
        MemoryBudget.Share share = budget.share();
        share.take(400);

        share.close();
        share.give(400);

        assertThat(budget.used()).isZero();
        assertThat(share.take(2000)).as("not counted any more").isTrue();
        assertThat(budget.used()).isZero();
    }

    @Test
    void waitingEnds() throws Exception {
        MemoryBudget.Share first = budget.share();
        first.take(500);

        assertThat(budget.share().take(400, Duration.ofMillis(1))).isFalse();
    }
}
