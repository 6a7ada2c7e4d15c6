package io.osmhub.core.template.go;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LiteralTest {
    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '^',
            value = {
                "0x1F, 31",
                "0644, 420",
                "0o17, 15",
                "0b101, 5",
                "1_000, 1000",
                "1e3, 1000",
                "1.50, 1.5",
                "0x1p4, 16",
                "-0, 0",
                "+5, 5",
                "'a', 97",
                "'\\n', 10",
                "'é', 233",
                "'\\xff', 255",
                "1e21, 1e+21"
            })
    void printsNumbersAsGo(String literal, String printed) {
        assertThat(Go.render("{{ " + literal + " }}")).isEqualTo(printed);
    }

    @Test
    void readsBothKindsOfStrings() {
        assertThat(Go.render("{{ \"tab\\tb \\u00e9\" }}{{ `{{ raw \\n }}` }}")).isEqualTo("tab\tb é{{ raw \\n }}");
    }

    @Test
    void keepsEscapedBytesThatAreNoUtf8() {
        assertThat(Go.render("{{ len \"\\xff\" }} {{ printf \"%q\" \"\\xff\" }}"))
                .isEqualTo("1 \"\\xff\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "08 ~ integer overflow: \"08\"",
                "0x ~ bad number syntax: \"0x\"",
                "12a ~ bad number syntax: \"12a\"",
                "1+2 ~ bad number syntax: \"1+2\"",
                "99999999999999999999 ~ integer overflow: \"99999999999999999999\"",
                "1e999 ~ bad number syntax: \"1e999\"",
                "'ab' ~ malformed character constant: 'ab'",
                "'' ~ malformed character constant: ''",
                "3i ~ a complex number is not supported: no profile calculates with 3i",
                "1+2i ~ a complex number is not supported: no profile calculates with 1+2i",
                "\"\\q\" ~ invalid syntax",
                "\"open ~ unterminated quoted string",
                "`open ~ unterminated raw quoted string"
            })
    void refusesWhatGoRefuses(String literal, String problem) {
        assertThat(Go.error("{{ " + literal + " }}")).isEqualTo("template: t:1: " + problem);
    }

    @Test
    void aLiteralTakesItsParametersType() {
        assertThat(Go.render("{{ printf \"%T %T %T\" 1 1.0 'a' }}")).isEqualTo("int float64 int");
        assertThat(Go.error("{{ upper 5 }}"))
                .isEqualTo("template: t:1:9: executing \"t\" at <5>: expected string; found 5");
    }

    @Test
    void aNumberTooLargeForIntFailsOnlyWhenUsedAsOne() {
        assertThat(Go.error("{{ 9223372036854775808 }}"))
                .isEqualTo(
                        "template: t:1:3: executing \"t\" at <9223372036854775808>: 9223372036854775808 overflows int");
    }
}
