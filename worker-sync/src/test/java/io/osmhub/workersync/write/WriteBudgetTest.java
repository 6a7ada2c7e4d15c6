package io.osmhub.workersync.write;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.settings.TenantSettings;
import io.osmhub.workersync.fake.VirtualTime;
import java.time.Duration;
import org.junit.jupiter.api.Test;

final class WriteBudgetTest {
    private final VirtualTime time = new VirtualTime();
    private final WriteBudget budget = new WriteBudget(time, new TenantSettings.WriteBudget(10, 20));

    @Test
    void letsABurstThroughAndThenTheLastingRate() {
        assertThat(budget.take(20)).isZero();

        Duration wait = budget.take(6);

        assertThat(wait).isBetween(Duration.ofMillis(90), Duration.ofMillis(110));
        time.pass(wait);
        assertThat(budget.take(6)).isZero();
        assertThat(budget.take(1)).isGreaterThan(Duration.ofMillis(500));
    }

    @Test
    void givesTheLastingRateAndNoMore() {
        int written = 0;
        for (int millis = 0; millis < 100_000; millis += 10) {
            if (budget.take(6).isZero()) {
                written += 6;
            }
            time.pass(Duration.ofMillis(10));
        }

        assertThat(written).isBetween(1_000, 1_030);
    }

    @Test
    void isFullAgainAfterARestAndNotMore() {
        budget.take(20);
        time.pass(Duration.ofHours(1));

        assertThat(budget.take(20)).isZero();
        assertThat(budget.take(1)).isPositive();
    }
}
