package io.osmhub.core.status;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HysteresisTest {
    private static final Instant NOW = Instant.parse("2026-03-01T08:00:00Z");

    @ParameterizedTest
    @CsvSource({
        "false, 0.20, false",
        "false, 0.21, true",
        "true, 0.10, true",
        "true, 0.05, true",
        "true, 0.04, false",
        "false, 0.10, false"
    })
    void beginsAtOneValueAndEndsAtAnother(boolean was, double share, boolean is) {
        assertThat(Hysteresis.DEGRADED.is(was, share)).isEqualTo(is);
    }

    @Test
    void oneShortFailureIsNotTold() {
        Patience once = Patience.FRESH.failed(NOW);

        assertThat(once.isOver(NOW)).isFalse();
        assertThat(once.isOver(NOW.plusSeconds(9))).isFalse();
        assertThat(once.end()).isEqualTo(NOW.plusSeconds(10));
        assertThat(Patience.FRESH.isOver(NOW.plusSeconds(100))).isFalse();
    }

    @Test
    void aFailureIsToldAfterThreeTriesOrTenSeconds() {
        Patience once = Patience.FRESH.failed(NOW);

        assertThat(once.isOver(NOW.plusSeconds(10))).isTrue();
        assertThat(once.failed(NOW.plusSeconds(1)).failed(NOW.plusSeconds(2)).isOver(NOW.plusSeconds(2)))
                .isTrue();
    }

    @Test
    void fiveRepairsInTenMinutesAreALoopUntilTenMinutesAreQuiet() {
        DriftLog log = DriftLog.EMPTY;
        for (int i = 0; i < 4; i++) {
            log = log.restored(NOW.plus(Duration.ofMinutes(i)));
        }
        assertThat(log.isLoop(NOW.plus(Duration.ofMinutes(4)))).isFalse();

        log = log.restored(NOW.plus(Duration.ofMinutes(9)));

        assertThat(log.isLoop(NOW.plus(Duration.ofMinutes(9)))).isTrue();
        assertThat(log.count(NOW.plus(Duration.ofMinutes(9)))).isEqualTo(5);
        assertThat(log.isLoop(NOW.plus(Duration.ofMinutes(18)))).isTrue();
        assertThat(log.isLoop(NOW.plus(Duration.ofMinutes(19)))).isFalse();
    }

    @Test
    void repairsFarApartAreNoLoop() {
        DriftLog log = DriftLog.EMPTY;
        for (int i = 0; i < 20; i++) {
            log = log.restored(NOW.plus(Duration.ofMinutes(3L * i)));
        }

        assertThat(log.isLoop(NOW.plus(Duration.ofHours(1)))).isFalse();
        assertThat(log.restored()).hasSizeLessThan(5);
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
        assertThat(Wording.duration(duration)).isEqualTo(text);
    }
}
