package io.osmhub.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.status.RunResult.FailureThreshold;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class FailureThresholdTest {
    private static final Instant NOW = Instant.parse("2026-03-01T08:00:00Z");

    @Test
    void oneShortFailureIsNotTold() {
        FailureThreshold once = FailureThreshold.NO_FAILURES.recordFailure(NOW);

        assertThat(once.isReached(NOW)).isFalse();
        assertThat(once.isReached(NOW.plusSeconds(9))).isFalse();
        assertThat(FailureThreshold.NO_FAILURES.isReached(NOW.plusSeconds(100))).isFalse();
    }

    @Test
    void aFailureIsToldAfterThreeTriesOrTenSeconds() {
        FailureThreshold once = FailureThreshold.NO_FAILURES.recordFailure(NOW);

        assertThat(once.isReached(NOW.plusSeconds(10))).isTrue();
        assertThat(once.recordFailure(NOW.plusSeconds(1))
                        .recordFailure(NOW.plusSeconds(2))
                        .isReached(NOW.plusSeconds(2)))
                .isTrue();
    }

    @ParameterizedTest
    @CsvSource({
        "PT0.34S, 340 ms",
        "PT0S, 0 s",
        "PT20S, 20 s",
        "PT3M20S, 3 min 20 s",
        "PT3M, 3 min",
        "PT26H, 1 d 2 h",
        "PT2H5M3S, 2 h 5 min",
        "PT-5S, 0 s"
    })
    void durationsCarryUnits(Duration duration, String text) {
        assertThat(UnitFormatter.formatDuration(duration)).isEqualTo(text);
    }
}
