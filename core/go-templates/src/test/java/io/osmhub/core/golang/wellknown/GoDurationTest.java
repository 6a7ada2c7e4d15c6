package io.osmhub.core.golang.wellknown;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.golang.GoCallException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GoDurationTest {
    @ParameterizedTest
    @CsvSource({
        "0,0s",
        "1,1ns",
        "1500000,1.5ms",
        "90000000000,1m30s",
        "-5400000000000,-1h30m0s",
        "3600500000000,1h0m0.5s",
        "9223372036854775807,2562047h47m16.854775807s",
        "-9223372036854775808,-2562047h47m16.854775808s"
    })
    void hasGosTextAndReadsItBack(long nanos, String text) throws GoCallException {
        assertThat(GoDuration.text(nanos)).isEqualTo(text);
        assertThat(GoDuration.parse(text)).isEqualTo(nanos);
    }

    @Test
    void writesTheMicroSignInUtf8() throws GoCallException {
        assertThat(GoDuration.text(1500)).isEqualTo("1.5\u00c2\u00b5s");
        assertThat(GoDuration.parse("1.5\u00ce\u00bcs")).isEqualTo(1500);
    }

    @Test
    void saysAsGoWhatIsWrong() {
        assertThatThrownBy(() -> GoDuration.parse("")).hasMessage("time: invalid duration \"\"");
        assertThatThrownBy(() -> GoDuration.parse("5")).hasMessage("time: missing unit in duration \"5\"");
        assertThatThrownBy(() -> GoDuration.parse("1d")).hasMessage("time: unknown unit \"d\" in duration \"1d\"");
        assertThatThrownBy(() -> GoDuration.parse(".s")).hasMessage("time: invalid duration \".s\"");
        assertThatThrownBy(() -> GoDuration.parse("9999999h")).hasMessage("time: invalid duration \"9999999h\"");
        assertThatThrownBy(() -> GoDuration.parse("9223372036854775808ns")).isInstanceOf(GoCallException.class);
    }
}
