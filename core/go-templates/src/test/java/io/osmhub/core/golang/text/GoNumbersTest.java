package io.osmhub.core.golang.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.golang.GoCallException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoNumbersTest {
    @ParameterizedTest
    @CsvSource({
        "0x1F,0,31",
        "0644,0,420",
        "0o17,0,15",
        "-0b101,0,-5",
        "1_000,0,1000",
        "0x_ff,0,255",
        "+7,10,7",
        "zz,36,1295",
        "0,0,0"
    })
    void readsIntegersByBaseOrPrefix(String text, int base, long value) throws GoCallException {
        assertThat(GoNumbers.parseInt(text, base, 64)).isEqualTo(value);
    }

    @Test
    void saysAsGoWhyItCannotReadAnInteger() {
        assertThatThrownBy(() -> GoNumbers.parseInt("many", 10, 64))
                .hasMessage("strconv.ParseInt: parsing \"many\": invalid syntax");
        assertThatThrownBy(() -> GoNumbers.parseInt("1__0", 0, 64))
                .hasMessage("strconv.ParseInt: parsing \"1__0\": invalid syntax");
        assertThat(GoNumbers.readUint("-1", 10).problem())
                .isEqualTo("strconv.ParseUint: parsing \"-1\": invalid syntax");
        assertThat(GoNumbers.readAtoi("").problem()).isEqualTo("strconv.Atoi: parsing \"\": invalid syntax");
        assertThatThrownBy(() -> GoNumbers.parseBool("yes"))
                .hasMessage("strconv.ParseBool: parsing \"yes\": invalid syntax");
    }

    @Test
    void answersTheNearestIntegerBesideARangeError() {
        GoNumbers.ParsedInt read = GoNumbers.readInt("-300", 10, 8);

        assertThat(read.value()).isEqualTo(-128);
        assertThat(read.problem()).isEqualTo("strconv.ParseInt: parsing \"-300\": value out of range");
        assertThat(GoNumbers.readUint("18446744073709551616", 10).value()).isEqualTo(-1);
        assertThat(GoNumbers.readInt("-9223372036854775808", 10, 64))
                .isEqualTo(new GoNumbers.ParsedInt(Long.MIN_VALUE, null));
    }

    @ParameterizedTest
    @CsvSource({
        "1.5,1.5",
        "1_0.5,10.5",
        ".5e1,5",
        "0x1p-2,0.25",
        "0x_1.8p1,3",
        "inf,Infinity",
        "-Infinity,-Infinity",
        "1e-400,0"
    })
    void readsFloats(String text, double value) {
        assertThat(GoNumbers.readFloat(text, 64)).isEqualTo(new GoNumbers.ParsedFloat(value, null));
    }

    @ParameterizedTest
    @ValueSource(strings = {"-nan", "0x1p", "1_", "1e", "1e_5", "1 ", "1d", "0x", ".", "0x1", "0x1p5f", "1-", "--1"})
    void refusesWhatIsNoFloatInGo(String text) {
        assertThat(GoNumbers.readFloat(text, 64).problem()).endsWith(": invalid syntax");
    }

    @Test
    void saysWhenAFloatIsTooLarge() {
        assertThat(GoNumbers.readFloat("1e39", 32))
                .isEqualTo(new GoNumbers.ParsedFloat(
                        Double.POSITIVE_INFINITY, "strconv.ParseFloat: parsing \"1e39\": value out of range"));
    }

    @ParameterizedTest
    @CsvSource({
        "5e-324,g,-1,5e-324",
        "2e-323,g,-1,2e-323",
        "1e23,g,-1,1e+23",
        "100000,g,-1,100000",
        "1000000,g,-1,1e+06",
        "0.0001,g,-1,0.0001",
        "0.00001,g,-1,1e-05",
        "123456789,g,4,1.235e+08",
        "100,g,3,100",
        "2.5,f,0,2",
        "3.5,f,0,4",
        "0.15,f,1,0.1",
        "0,e,-1,0e+00",
        "1e21,f,-1,1000000000000000000000",
        "-0.0,G,-1,-0",
        "NaN,f,2,NaN",
        "Infinity,f,2,+Inf",
    })
    void formatsFloats(double value, char format, int precision, String text) {
        assertThat(GoNumbers.formatFloat(value, format, precision, 64)).isEqualTo(text);
    }

    @Test
    void formatsNarrowFloatsByTheirOwnDigits() {
        assertThat(GoNumbers.formatFloat(0.1f, 'g', -1, 32)).isEqualTo("0.1");
        assertThat(GoNumbers.formatFloat(Float.MIN_VALUE, 'g', -1, 32)).isEqualTo("1e-45");
    }
}
