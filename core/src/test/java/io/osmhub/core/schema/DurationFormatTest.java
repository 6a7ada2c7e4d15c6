package io.osmhub.core.schema;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class DurationFormatTest {
    @ParameterizedTest
    @CsvSource({"0s, PT0S", "500ms, PT0.5S", "90m, PT1H30M", "1h30m, PT1H30M", "1m1m, PT2M", "2h5ms, PT2H0.005S"})
    void readsUnitsAndSums(String text, Duration expected) {
        assertThat(DurationFormat.parse(text)).isEqualTo(expected);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "5", "s", "1.5h", "-1s", "1 h", "2 hours", "1d", "1h "})
    void refusesOtherForms(String text) {
        assertThat(DurationFormat.parse(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({"PT0S, 0s", "PT1H30M, 1h30m", "PT90S, 1m30s", "PT0.5S, 0.5s", "PT48H, 48h"})
    void writesTheShortestText(Duration duration, String expected) {
        assertThat(DurationFormat.format(duration)).isEqualTo(expected);
    }

    @Test
    void doesNotOverflow() {
        assertThat(DurationFormat.parse("99999999999999999999h99999999999999999999h"))
                .isGreaterThan(Duration.ofDays(36_500));
    }
}
