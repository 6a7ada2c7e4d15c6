package io.osmhub.api.ops;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

final class FleetStatisticsTest {
    private final FleetStatistics figures = new FleetStatistics();

    @Test
    void countsEveryPublishInTheRangeThatItEndsIn() {
        for (int millis : List.of(3, 20, 21, 99, 1_000, 1_001, 7_500, 10_000, 90_000)) {
            figures.recordPublish(Duration.ofMillis(millis));
        }

        assertThat(figures.publishes().count()).isEqualTo(9);
        assertThat(figures.publishes().ranges()).containsExactly(2, 1, 1, 0, 0, 1, 1, 0, 2, 0, 1);
    }

    @Test
    void tellsTheMedianAndTheSlowOnesApart() {
        for (int fast = 0; fast < 98; fast++) {
            figures.recordPublish(Duration.ofMillis(40));
        }
        figures.recordPublish(Duration.ofMillis(1_800));
        figures.recordPublish(Duration.ofMillis(1_900));

        assertThat(figures.publishes().p50Milliseconds()).isCloseTo(35, within(5.0));
        assertThat(figures.publishes().p99Milliseconds()).isBetween(1_500.0, 2_000.0);
    }

    @Test
    void forgetsWhatIsOlderThanAnHour() {
        figures.recordPublish(Duration.ofMillis(40));
        for (int sample = 0; sample < 720; sample++) {
            figures.startSample(sample, Duration.ZERO);
        }

        assertThat(figures.publishes().count()).isZero();
        assertThat(figures.publishes().p50Milliseconds()).isZero();
        assertThat(figures.queue().depths()).hasSize(720).startsWith(0, 1).endsWith(719);
    }

    @Test
    void saysHowTheQueueIsNow() {
        figures.startSample(12, Duration.ofMillis(200));

        assertThat(figures.queue().depth()).isEqualTo(12);
        assertThat(figures.queue().oldestSeconds()).isEqualTo(0.2);
        assertThat(figures.queue().depths()).containsExactly(0, 12);
    }
}
