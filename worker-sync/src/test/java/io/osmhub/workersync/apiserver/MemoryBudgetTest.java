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

    private static int takeAll(MemoryBudget.MemoryShare share) {
        int taken = 0;
        while (share.tryReserve(1)) {
            taken++;
        }
        return taken;
    }

    @Test
    void oneShareAloneGetsHalf() {
        assertThat(takeAll(budget.createShare())).isEqualTo(CAPACITY / 2);
    }

    @Test
    void manyGreedySharesLeaveAsMuchAsEachOfThemHas() {
        List<MemoryBudget.MemoryShare> greedy =
                IntStream.range(0, 24).mapToObj(i -> budget.createShare()).toList();
        for (int round = 0; round < CAPACITY; round++) {
            greedy.forEach(share -> share.tryReserve(1));
        }

        assertThat(greedy).allSatisfy(share -> assertThat(share.taken()).isBetween(39L, 41L));
        assertThat(budget.createShare().tryReserve(18))
                .as("a modest share beside them")
                .isTrue();
    }

    @Test
    void theFirstBytesOfAShareAreNeverRefused() {
        MemoryBudget small = new MemoryBudget(100, 10);
        for (int i = 0; i < 10; i++) {
            takeAll(small.createShare());
        }

        MemoryBudget.MemoryShare share = small.createShare();

        assertThat(share.tryReserve(10)).isTrue();
        assertThat(share.tryReserve(50)).isFalse();
        assertThat(share.taken()).isEqualTo(10);
    }

    @Test
    void whatIsGivenBackIsFreeAgain() {
        MemoryBudget partly = new MemoryBudget(100, 10);
        MemoryBudget.MemoryShare share = partly.createShare();
        share.tryReserve(8);
        share.tryReserve(40);
        assertThat(partly.used()).isEqualTo(38);

        share.release(48);

        assertThat(partly.used()).isZero();
        assertThat(share.tryReserve(60)).isTrue();
    }

    @Test
    void aThreadWaitsUntilAnotherGivesBack() throws Exception {
        MemoryBudget.MemoryShare first = budget.createShare();
        first.tryReserve(500);
        MemoryBudget.MemoryShare second = budget.createShare();
        assertThat(second.tryReserve(400)).isFalse();
        CompletableFuture<Boolean> waiting = new CompletableFuture<>();
        Thread.ofVirtual().start(() -> {
            try {
                waiting.complete(second.tryReserve(400, Duration.ofMinutes(1)));
            } catch (InterruptedException e) {
                waiting.completeExceptionally(e);
            }
        });

        first.release(500);

        assertThat(waiting.get(30, TimeUnit.SECONDS)).isTrue();
    }

    @Test
    void aTextThatTookNothingDoesNotTakeTheLockOfAllServers() throws Exception {
        ResponseBuffer text =
                new ResponseBuffer("a line", 100, budget.createShare(), MemoryBudget.MemoryShare::tryReserve);

        synchronized (budget) {
            assertThat(CompletableFuture.supplyAsync(() -> {
                                text.clear();
                                return text.soFar().length == 0;
                            })
                            .get(30, TimeUnit.SECONDS))
                    .isTrue();
        }
    }

    @Test
    void aClosedShareGivesAllBackOnce() {
        MemoryBudget.MemoryShare share = budget.createShare();
        share.tryReserve(400);

        share.close();
        share.release(400);

        assertThat(budget.used()).isZero();
        assertThat(share.tryReserve(2000)).as("not counted any more").isTrue();
        assertThat(budget.used()).isZero();
    }

    @Test
    void waitingEnds() throws Exception {
        MemoryBudget.MemoryShare first = budget.createShare();
        first.tryReserve(500);

        assertThat(budget.createShare().tryReserve(400, Duration.ofMillis(1))).isFalse();
    }

    @Test
    void aReservationHasItsSizeOrStaysAsItIs() {
        MemoryBudget.MemoryShare share = budget.createShare();
        MemoryBudget.MemoryReservation kept = share.createReservation();
        MemoryBudget.MemoryReservation added = share.createReservation();

        assertThat(kept.tryResize(400)).isTrue();
        assertThat(added.tryResize(200)).as("no room").isFalse();
        assertThat(added.tryResize(50)).isTrue();
        assertThat(budget.used()).isEqualTo(450);

        kept.transferFrom(added);
        added.close();
        assertThat(kept.bytes()).isEqualTo(450);
        assertThat(kept.tryResize(100)).isTrue();
        assertThat(budget.used()).isEqualTo(100);

        kept.close();
        assertThat(budget.used()).isZero();
    }
}
