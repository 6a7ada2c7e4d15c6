package io.osmhub.core.golang.text;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoValue.GoString;
import java.util.zip.CRC32;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class GoQuoteTest {
    /** Of one byte for each code point, 1 where Go 1.26 calls it printable; computed there. */
    private static final long CHECKSUM_OF_PRINTABLE = 1_831_315_180L;

    @Test
    void callsPrintableWhatGoDoesInAllOfUnicode() {
        byte[] printable = new byte[Character.MAX_CODE_POINT + 1];
        for (int rune = 0; rune < printable.length; rune++) {
            printable[rune] = (byte) (GoQuote.isPrint(rune) ? 1 : 0);
        }
        CRC32 checksum = new CRC32();

        checksum.update(printable);

        assertThat(checksum.getValue()).isEqualTo(CHECKSUM_OF_PRINTABLE);
    }

    @Test
    void escapesWhatCannotBePrinted() {
        String bytes = GoString.bytes("a\"\\\n\u0007\u0001\u007f\u00e9\u00ad\ud83d\ude00\ue000") + "\u00ff";

        assertThat(GoString.text(GoQuote.quote(bytes)))
                .isEqualTo("\"a\\\"\\\\\\n\\a\\x01\\x7f\u00e9\\u00ad\ud83d\ude00\\ue000\\xff\"");
        assertThat(GoQuote.quote(bytes, true))
                .isEqualTo("\"a\\\"\\\\\\n\\a\\x01\\x7f\\u00e9\\u00ad\\U0001f600\\ue000\\xff\"");
    }

    @Test
    void quotesACharacterInSingleQuotes() {
        assertThat(GoQuote.quoteRune('\'')).isEqualTo("'\\''");
        assertThat(GoQuote.quoteRune('"')).isEqualTo("'\"'");
        assertThat(GoQuote.quoteRune(0xD800, true)).isEqualTo("'\\ufffd'");
    }

    @Test
    void backquotesOnlyOneLineWithoutBackquotes() {
        assertThat(GoQuote.canBackquote("a\tb \"c\"")).isTrue();
        assertThat(GoQuote.canBackquote("a`b")).isFalse();
        assertThat(GoQuote.canBackquote("a\nb")).isFalse();
        assertThat(GoQuote.canBackquote(GoString.bytes("\ufeff"))).isFalse();
        assertThat(GoQuote.canBackquote("\u00ff")).isFalse();
    }

    @Test
    void readsBackWhatAnyLiteralStandsFor() throws GoCallException {
        assertThat(GoQuote.unquote("\"a\\tb\\x41\\101\\u00e9\\\"\"")).isEqualTo("a\tbAA\u00c3\u00a9\"");
        assertThat(GoQuote.unquote("\"\\xff\"")).isEqualTo("\u00ff");
        assertThat(GoQuote.unquote("`a\\n\r`")).isEqualTo("a\\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "\"",
                "\"a",
                "a",
                "\"\n\"",
                "\"\"\"",
                "\"\\'\"",
                "'a'",
                "\"\\ud800\"",
                "\"\\400\"",
                "\"\\x4\""
            })
    void refusesWhatIsNoLiteral(String literal) {
        assertThatThrownBy(() -> GoQuote.unquote(literal))
                .isInstanceOf(GoCallException.class)
                .hasMessage("invalid syntax");
    }

    @ParameterizedTest
    @CsvSource(
            quoteCharacter = '`',
            value = {"'a',97", "'\\n',10", "'\\xff',255", "'\\u00e9',233"})
    void knowsTheNumberOfACharacter(String literal, int value) throws GoCallException {
        assertThat(GoQuote.characterValue(literal)).isEqualTo(value);
    }
}
