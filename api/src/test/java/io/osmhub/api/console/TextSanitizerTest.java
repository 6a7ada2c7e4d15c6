package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.problem.MessageFormatter;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TextSanitizerTest {
    private static String flat(String text) {
        return TextSanitizer.flat(text, TextSanitizer.NAME);
    }

    @ParameterizedTest
    @ValueSource(
            ints = {
                0x0000, 0x0007, 0x001B, 0x007F, 0x0085, 0x009B, 0x00A0, 0x00AD, 0x034F, 0x061C, 0x200B, 0x200D, 0x200E,
                0x2028, 0x2029, 0x202E, 0x2060, 0x2066, 0x2069, 0x2800, 0x3000, 0x3164, 0xE000, 0xFE0F, 0xFEFF, 0xFFF9,
                0xE0041, 0xE0100, 0xF0000
            })
    void showsWhatActsByItsNumber(int acting) {
        assertThat(flat("a" + Character.toString(acting) + "b"))
                .isEqualTo("a[" + String.format(Locale.ROOT, "U+%04X", acting) + "]b");
    }

    @Test
    void showsHalvesOfPairsByTheirNumber() {
        assertThat(flat("a\uD83Db")).isEqualTo("a[U+D83D]b");
    }

    @Test
    void aMessageKeepsItsLineBreaksAndANameHasNone() {
        String text = "one\ntwo\u0007";

        assertThat(new Markup().text(text, TextSanitizer.MESSAGE).finished())
                .hasToString("one<br>two<span class=\"ctl\">U+0007</span>");
        assertThat(new Markup().name(text).finished())
                .hasToString("<bdi>one<span class=\"ctl\">U+000A</span>two<span class=\"ctl\">U+0007</span></bdi>");
        assertThat(new LiveCell.LabelCell("one\ntwo").toJson(Instant.EPOCH))
                .containsEntry("t", List.of("one", "\n", "two"));
    }

    @Test
    void aMessageShowsCharactersAsItEscapedThem() {
        String message = MessageFormatter.visible("no profile a\u001b[2Jb in x");

        assertThat(new Markup().text(message, TextSanitizer.MESSAGE).finished())
                .hasToString("no profile a\\u001b[2Jb in x");
    }

    @Test
    void showsLinesAndTabsByTheirNumberBecauseANameHasNone() {
        assertThat(flat("one\ntwo\r\tthree")).isEqualTo("one[U+000A]two[U+000D][U+0009]three");
    }

    @Test
    void marksALetterThatPassesForALatinOneInsideALatinWord() {
        assertThat(flat("p\u0430ypal")).isEqualTo("p[U+0430]ypal");
        assertThat(flat("\u03BFsp-ubuntu")).isEqualTo("[U+03BF]sp-ubuntu");
        assertThat(flat("\uFF41dmin")).isEqualTo("[U+FF41]dmin");
        assertThat(flat(Character.toString(0x1D41A) + "dmin")).isEqualTo("[U+1D41A]dmin");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "checkout-prod-eu",
                "\u043A\u043B\u0430\u0441\u0442\u0435\u0440-1",
                "\u0394\u03BF\u03BA\u03B9\u03BC\u03AE prod",
                "\u5317\u4EAC-cluster",
                "M\u00FCnchen-\u00C5rhus",
                "\u05E9\u05DC\u05D5\u05DD",
                "k8s\u30AF\u30E9\u30B9\u30BF",
                "cafe\u0301"
            })
    void leavesWholeWordsOfAnyScriptInPeace(String name) {
        assertThat(flat(name)).isEqualTo(name);
    }

    @Test
    void marksAPileOfCombiningMarksAfterTheThird() {
        assertThat(flat("a" + "\u0301".repeat(5) + "b")).isEqualTo("a\u0301\u0301\u0301[U+0301][U+0301]b");
    }

    @Test
    void cutsWhatIsTooLongAndSaysHowMuch() {
        assertThat(TextSanitizer.flat("x".repeat(300), 253)).isEqualTo("x".repeat(253) + "[and 47 more characters]");
        assertThat(TextSanitizer.flat("x".repeat(253), 253)).hasSize(253);
    }

    @Test
    void neverCutsAPairInTwo() {
        String pair = "x".repeat(252) + Character.toString(0x1F600);

        assertThat(TextSanitizer.flat(pair, 253)).doesNotContain("U+D83D").endsWith("[and 2 more characters]");
    }

    @Test
    void printsNoMarkupOfAText() {
        String shown = new Markup()
                .name("<img src=x onerror=alert(1)> \"'`&\u202E")
                .finished()
                .toString();

        assertThat(shown)
                .isEqualTo("<bdi>&lt;img src=x onerror=alert(1)&gt; &quot;&#39;&#96;&amp;"
                        + "<span class=\"ctl\">U+202E</span></bdi>");
    }

    @Test
    void keepsATextInsideTheQuotesOfItsAttribute() {
        String shown = new Markup()
                .open("a", "href", "\" onclick=\"x\u0000", "title", null)
                .finished()
                .toString();

        assertThat(shown).isEqualTo("<a href=\"&quot; onclick=&quot;x[U+0000]\">");
    }

    @Test
    void escapesEveryCharacterBelowFiveHundredThatCouldEndAText() {
        for (int point = 0; point < 0x500; point++) {
            String shown =
                    new Markup().text(Character.toString(point), 10).finished().toString();
            String withoutOurs = shown.replace("<span class=\"ctl\">", "")
                    .replace("</span>", "")
                    .replace("<br>", "");
            assertThat(withoutOurs).as("U+%04X", point).doesNotContain("<", ">", "\"", "'", "\u0000");
        }
    }

    @Test
    void piecesTogetherAreTheTextWhenNothingActs() {
        List<TextSanitizer.Piece> pieces = new ArrayList<>();
        TextSanitizer.pieces("osp-ubuntu v1.4.0", 100, pieces);

        assertThat(pieces).containsExactly(new TextSanitizer.Piece("osp-ubuntu v1.4.0", false));
    }
}
