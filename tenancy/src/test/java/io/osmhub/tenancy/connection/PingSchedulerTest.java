package io.osmhub.tenancy.connection;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class PingSchedulerTest {
    private final VirtualTime time = new VirtualTime();
    private final PingScheduler scheduler = new PingScheduler(time);

    @Test
    void pingsAreSpreadOverTheInterval() {
        int[] inSecond = new int[10];
        for (int i = 0; i < 1000; i++) {
            scheduler.schedule(Duration.ofSeconds(10), () -> inSecond[(int) (time.nanoTime() / 1_000_000_000L)]++);
        }

        time.advance(Duration.ofMillis(9_990));

        assertThat(Arrays.stream(inSecond).sum()).isBetween(980, 1000);
        assertThat(Arrays.stream(inSecond).max().orElseThrow()).isLessThan(125);
    }

    @Test
    void eachHasItsOwnIntervalUntilItIsCancelled() {
        AtomicInteger often = new AtomicInteger();
        AtomicInteger rarely = new AtomicInteger();
        PingScheduler.PingTask first = scheduler.schedule(Duration.ofSeconds(1), often::incrementAndGet);
        scheduler.schedule(Duration.ofSeconds(30), rarely::incrementAndGet);

        time.advance(Duration.ofMinutes(5));
        assertThat(often.get()).isBetween(270, 301);
        assertThat(rarely.get()).isBetween(9, 11);

        first.cancel();
        int before = often.get();
        time.advance(Duration.ofMinutes(5));
        assertThat(often).hasValue(before);
        assertThat(rarely.get()).isBetween(19, 21);
    }

    @Test
    void aPingThatFailsUnexpectedlyDelaysNoOther() {
        AtomicInteger pings = new AtomicInteger();
        for (int i = 0; i < 20; i++) {
            boolean fails = i % 2 == 0;
            scheduler.schedule(Duration.ofSeconds(1), () -> {
                if (fails) {
                    throw new IllegalStateException("broken");
                }
                pings.incrementAndGet();
            });
        }

        time.advance(Duration.ofMillis(10_500));

        assertThat(pings.get()).isBetween(90, 110);
    }

    @Test
    void aShortIntervalThatComesLaterIsNotLate() {
        List<Long> at = new ArrayList<>();
        scheduler.schedule(Duration.ofMinutes(1), () -> {});
        scheduler.schedule(Duration.ofSeconds(1), () -> at.add(time.nanoTime()));

        time.advance(Duration.ofSeconds(2));

        assertThat(at).isNotEmpty();
    }
}
