package io.osmhub.core.userdata;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.userdata.SystemdUnitParser.UnitParseResult;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SystemdUnitParserTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "not a unit\n",
                "# [A\n",
                "x [A]\nb=c\n",
                "[A]\n\n  # a comment \\\n b\n;c\nd=e \\\n  f\n[B]\n",
                "[A]  \n\u00A0a=\n\u3000b==\n",
                "[A\nB]\na=b",
                "[]\n=\n"
            })
    void takesWhatTheLexerTakes(String text) {
        assertThat(faultOf(text)).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "'[A]\nword\n', unexpected newline encountered while parsing option name",
        "'[A]\nword', unexpected end of the text while parsing option name",
        "'[A\n', unable to find end of section",
        "'[A] b\n', found garbage after section name",
        "'[A]\na=b\\\nc\nd\n', unexpected newline encountered while parsing option name"
    })
    void saysWhatIsWrong(String text, String fault) {
        assertThat(faultOf(text)).isEqualTo(fault);
    }

    @ParameterizedTest
    @CsvSource({
        "'[Unit]\n', false",
        "'text', false",
        "'[Unit]\na=b\n', true",
        "'[Unit]\na=b\n[Install]\n', true",
        "'[Unit]\na=b\n[Install]\nc=d\n', false"
    })
    void missesAnInstallSectionOnlyAmongOptions(String text, boolean lacksInstall) {
        assertThat(SystemdUnitParser.parseForIgnition(text).isInstallMissing()).isEqualTo(lacksInstall);
    }

    private static @Nullable String faultOf(String text) {
        return SystemdUnitParser.parseForIgnition(text).fault();
    }

    @Test
    void systemdReadsOverACommentInAContinuedLine() {
        String text = "x=y\n[A]\na=b \\\n# c\n  d\n[Install]\ne=\n";

        assertThat(SystemdUnitParser.parse(text)).isEqualTo(new UnitParseResult(null, false));
        assertThat(faultOf(text)).isEqualTo("unexpected newline encountered while parsing option name");
    }

    @Test
    void systemdReadsASectionsHeaderInOneLineAndAnyLengthOfALine() {
        assertThat(SystemdUnitParser.parse("[A]\n[B\nC]\n").fault()).isEqualTo("unable to find end of section");
        assertThat(SystemdUnitParser.parse("[A]\nlong=" + "x".repeat(9000) + "\n")
                        .fault())
                .isNull();
    }

    @Test
    void refusesALongLineInEveryPlace() {
        String longLine = "a=" + "x".repeat(2046);

        assertThat(faultOf("[A]\n" + longLine + "\n")).isEqualTo("line too long (max 2048 bytes)");
        assertThat(faultOf("[A]\n" + longLine.substring(1) + "\n")).isNull();
        assertThat(faultOf("[A]\n" + "b=c\n".repeat(600) + longLine + "\n")).startsWith("line too long");
        assertThat(faultOf("x".repeat(3000) + "\n")).isEqualTo("line too long (max 2048 bytes)");
    }
}
