package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Modes in the wrong number base. */
final class FileModeTest {
    @ParameterizedTest
    @ValueSource(ints = {0644, 0600, 0755, 0700, 0400, 0440, 0444, 0550, 0640, 0711, 01777, 04755})
    void usualModesAreUsual(int mode) {
        assertThat(FileMode.isUsual(mode)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {0420, 0256, 0416, 0436, 0365, 0432, 0, 0177777, 01204})
    void decimalNumbersOfUsualModesAreNotUsualThemselves(int mode) {
        assertThat(FileMode.isUsual(mode)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(ints = {644, 600, 755, 640, 1777})
    void numbersWhoseDigitsAreAModeAreMisread(int number) {
        assertThat(FileMode.isMisread(number)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(ints = {420, 384, 493, 256, 416, 448, 292})
    void decimalNumbersOfModesAreNot(int number) {
        assertThat(FileMode.isMisread(number)).isFalse();
    }
}
