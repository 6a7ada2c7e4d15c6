package io.osmhub.core.template.go;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class TrimTest {
    @Test
    void removesBlanksBeforeALeftMarker() {
        assertThat(Go.render("a \t\r\n{{- 1 }} b")).isEqualTo("a1 b");
    }

    @Test
    void removesBlanksAfterARightMarker() {
        assertThat(Go.render("a {{ 1 -}} \n\t b")).isEqualTo("a 1b");
    }

    @Test
    void leavesTheOutputOfActionsAlone() {
        assertThat(Go.render("{{ \" x \" -}} {{- \" y \" }}")).isEqualTo(" x  y ");
    }

    @Test
    void takesAMinusWithoutABlankForASign() {
        assertThat(Go.render("a {{-3}} b")).isEqualTo("a -3 b");
    }

    @Test
    void trimsAroundComments() {
        assertThat(Go.render("a {{- /* several\nlines */ -}} \n b")).isEqualTo("ab");
    }

    @Test
    void leavesOtherBlanksThanThoseOfAscii() {
        assertThat(Go.render("\u00a0{{- 1 -}}\u2003")).isEqualTo("\u00a01\u2003");
    }
}
