package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.problem.Reason;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class ReadableYamlTest {
    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "one line",
                "one line\n",
                "two\nlines\n",
                "blank ends  \n    \nof lines\n",
                "  begins with blanks\n",
                "\n\n   begins with empty lines\nand blanks\n",
                "ends with empty lines\n\n\n",
                "\n",
                "\n\n",
                " ",
                "   \n",
                "\ttabs\n\t\n",
                "carriage\r\nreturns\r\n",
                "next\u0085line, separator\u2028, mark\uFEFF, delete\u007F, nothing\u0000",
                "# no comment\n--- no document\n...\n",
                "- no list\nkey: value\n\"quoted\" 'text' {a} [b] &c *d !e |f >g %h @i `j`",
                "umlaut ü, euro €, smile \uD83D\uDE00\n",
            })
    void readsBackWhatItWasGiven(String text) {
        String yaml = "stringData:\n  key: x\n  " + ReadableYaml.field("text", text, 2) + "after: end\n";

        SourceDocument read =
                SourceDocument.readAll("", yaml, Reason.SettingsInvalid).getFirst();

        assertThat(read.text("stringData.text")).isEqualTo(text);
        assertThat(read.text("after")).isEqualTo("end");
    }

    @Test
    void showsALongTextLineByLineAlsoWithBlanksAtTheEndOfALine() {
        assertThat(ReadableYaml.field("script", "set -e  \n\ntrue\n", 2)).isEqualTo("""
                script: |
                    set -e \s

                    true
                """);
    }

    @Test
    void keepsCharactersOfJsonThatYamlTakesForLineBreaks() {
        String json = "{\"a\":\"x\u0085y\u2028z\u007F\"}";

        assertThat(SourceDocument.readAll("", ReadableYaml.of(json), Reason.SettingsInvalid)
                        .getFirst()
                        .text("a"))
                .isEqualTo("x\u0085y\u2028z\u007F");
    }
}
