package io.osmhub.workersync.write;

import static io.osmhub.workersync.write.WriteRateLimiter.WritePriority.FIRST;
import static io.osmhub.workersync.write.WriteRateLimiter.WritePriority.PATIENT;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.settings.TenantSettings;
import io.osmhub.workersync.fake.VirtualTime;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.write.WriteRateLimiter.WritePriority;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

final class WriteRateLimiterTest {
    private final VirtualTime time = new VirtualTime();
    private final WriteRateLimiter budget = new WriteRateLimiter(time, new TenantSettings.WriteBudget(10, 20));
    private final List<String> went = new ArrayList<>();
    private int asked;
    private int written;

    private static ObjectKey key(String name) {
        return new ObjectKey("kube-system", name);
    }

    /** Reserves, and repeats after the returned delay, until it may write. */
    private void comes(String name, int writes, WritePriority turn) {
        asked++;
        Duration wait = budget.reserve(key(name), writes, turn);
        if (wait.isZero()) {
            went.add(name);
            written += writes;
        } else {
            time.schedule(wait, () -> comes(name, writes, turn));
        }
    }

    @Test
    void letsABurstThroughAndThenTheLastingRate() {
        assertThat(budget.reserve(key("a"), 20, FIRST)).isZero();

        Duration wait = budget.reserve(key("b"), 6, FIRST);

        assertThat(wait).isBetween(Duration.ofMillis(90), Duration.ofMillis(110));
        time.pass(wait);
        assertThat(budget.reserve(key("b"), 6, FIRST)).isZero();
        assertThat(budget.reserve(key("c"), 1, FIRST)).isGreaterThan(Duration.ofMillis(500));
    }

    @Test
    void ofManyWhoWaitEachComesAgainOnceAndInTheirOrder() {
        for (int i = 0; i < 500; i++) {
            comes("md-" + i, 6, PATIENT);
        }

        time.pass(Duration.ofSeconds(150));
        assertThat(written).as("the burst and 150 seconds of the rate").isBetween(1_500, 1_540);
        time.pass(Duration.ofSeconds(160));

        assertThat(went).hasSize(500);
        assertThat(went.subList(0, 4)).containsExactly("md-0", "md-1", "md-2", "md-3");
        assertThat(went.getLast()).isEqualTo("md-499");
        assertThat(asked).isLessThan(1_010);
    }

    @Test
    void whatSomebodyWaitsForGoesBeforeWhatCanWaitAndTheRateHolds() {
        for (int i = 0; i < 100; i++) {
            comes("rotated-" + i, 6, PATIENT);
        }
        for (int second = 0; second < 30; second++) {
            String name = "new-" + second;
            int before = went.size();
            comes(name, 6, FIRST);
            time.pass(Duration.ofSeconds(1));
            assertThat(went.subList(before, went.size())).contains(name);
        }

        assertThat(written).isBetween(300, 340);
        time.pass(Duration.ofSeconds(60));
        assertThat(went).hasSize(130);
        assertThat(asked).as("again only after another write").isLessThan(130 * 5);
    }

    @Test
    void aNewcomerDoesNotOvertake() {
        comes("a", 30, PATIENT);
        comes("b", 6, PATIENT);
        time.pass(Duration.ofMillis(1_050));

        comes("c", 6, PATIENT);
        time.pass(Duration.ofSeconds(5));

        assertThat(went).containsExactly("a", "b", "c");
    }

    @Test
    void whoDoesNotComeBackHoldsUpNobody() {
        comes("a", 25, PATIENT);
        budget.reserve(key("lost"), 6, FIRST);
        budget.reserve(key("lost too"), 6, PATIENT);
        comes("b", 6, PATIENT);

        time.pass(Duration.ofSeconds(3));

        assertThat(went).containsExactly("a", "b");
    }

    @Test
    void otherLimitsHoldAtOnce() {
        comes("a", 20, PATIENT);
        for (int i = 0; i < 100; i++) {
            budget.reserve(key("md-" + i), 6, PATIENT);
        }
        assertThat(budget.reserve(key("last"), 6, PATIENT)).isGreaterThan(Duration.ofSeconds(50));

        budget.setLimits(new TenantSettings.WriteBudget(1_000, 20));

        assertThat(budget.reserve(key("last"), 6, PATIENT)).isLessThan(Duration.ofMillis(10));
    }

    @Test
    void whatIsNotNeededAnyMoreIsForgotten() {
        comes("a", 25, PATIENT);
        Duration promised = budget.reserve(key("b"), 6, PATIENT);

        budget.release(key("b"));

        assertThat(budget.reserve(key("b"), 6, PATIENT)).isGreaterThan(promised);
    }

    @Test
    void givesTheLastingRateAndNoMoreToWhoAsksAllTheTime() {
        int given = 0;
        for (int millis = 0; millis < 100_000; millis += 10) {
            if (budget.reserve(key("a"), 6, FIRST).isZero()) {
                given += 6;
            }
            time.pass(Duration.ofMillis(10));
        }

        assertThat(given).isBetween(1_000, 1_030);
    }

    @Test
    void isFullAgainAfterARestAndNotMore() {
        budget.reserve(key("a"), 20, FIRST);
        time.pass(Duration.ofHours(1));

        assertThat(budget.reserve(key("a"), 20, FIRST)).isZero();
        assertThat(budget.reserve(key("b"), 1, FIRST)).isPositive();
    }
}
