package io.osmhub.core.userdata;

import static org.assertj.core.api.Assertions.assertThat;

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
        assertThat(SystemdUnitParser.parse(text).fault()).isNull();
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
        assertThat(SystemdUnitParser.parse(text).fault()).isEqualTo(fault);
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
        assertThat(SystemdUnitParser.parse(text).lacksInstall()).isEqualTo(lacksInstall);
    }

    @Test
    void seesALongLineOnlyWhileTheBufferHoldsIt() {
        String longLine = "a=" + "x".repeat(2046);
        String fill = "[A]\n" + "b=c\n".repeat(600);

        assertThat(SystemdUnitParser.parse("[A]\n" + longLine + "\n").fault())
                .isEqualTo("line too long (max 2048 bytes)");
        assertThat(SystemdUnitParser.parse("[A]\n" + longLine.substring(1) + "\n")
                        .fault())
                .isNull();
        // 2404 of the first 4096 bytes are read when the long line begins: too few are left to see its length.
        assertThat(SystemdUnitParser.parse(fill + longLine + "\n").fault()).isNull();
        assertThat(SystemdUnitParser.parse("x".repeat(3000) + "\n").fault())
                .isEqualTo("line too long (max 2048 bytes)");
    }
}
