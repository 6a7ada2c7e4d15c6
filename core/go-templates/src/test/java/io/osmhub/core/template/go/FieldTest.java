package io.osmhub.core.template.go;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class FieldTest {
    private static String at(String where, String cause) {
        return "template: t:1:" + where + ": " + cause;
    }

    @Test
    void aMissingKeyIsNoValueAndAMissingFieldAnError() {
        assertThat(Go.render("{{ .a }}{{ .a.b.c }}", "{}")).isEqualTo("<no value><no value>");
        assertThat(Go.error("{{ .B }}", "{\"$struct\":[[\"A\",1]]}"))
                .isEqualTo(at("3", "executing \"t\" at <.B>: can't evaluate field B in type struct { A float64 }"));
    }

    @Test
    void namesTheTypeOfAValueWithoutThatField() {
        assertThat(Go.error("{{ .a.b }}", "{\"a\":1}"))
                .isEqualTo(at("5", "executing \"t\" at <.a.b>: can't evaluate field b in type float64"));
        assertThat(Go.error("{{ (index . \"a\").b }}", "{\"a\":1}"))
                .isEqualTo(at("16", "executing \"t\" at <(index . \"a\").b>: can't evaluate field b in type float64"));
    }

    @Test
    void followsPointersButNotNil() {
        assertThat(Go.render("{{ .a.b }}", "{\"$ptr\":{\"a\":{\"$ptr\":{\"b\":1}}}}"))
                .isEqualTo("1");
        assertThat(Go.error("{{ .a.b }}", "{\"a\":{\"$nilptr\":\"map\"}}"))
                .isEqualTo(at("5", "executing \"t\" at <.a.b>: nil pointer evaluating *map[string]interface {}.b"));
        assertThat(Go.error("{{ .x }}", "{\"$nilptr\":\"map\"}"))
                .isEqualTo(at("3", "executing \"t\" at <.x>: nil pointer evaluating *map[string]interface {}.x"));
    }

    @Test
    void callsMethodsOfNamedTypes() {
        assertThat(Go.render("{{ .String }}", "{\"$stringer\":\"x\"}")).isEqualTo("<x>");
        assertThat(Go.error("{{ .String 1 }}", "{\"$stringer\":\"x\"}"))
                .isEqualTo(at("3", "executing \"t\" at <.String>: wrong number of args for String: want 0 got 1"));
    }

    @Test
    void givesNoArgumentsToWhatIsNoMethod() {
        assertThat(Go.error("{{ .a 1 }}", "{\"a\":1}"))
                .isEqualTo(at("3", "executing \"t\" at <.a>: a is not a method but has arguments"));
        assertThat(Go.error("{{ 1 | .A }}", "{\"$struct\":[[\"A\",1]]}"))
                .isEqualTo(at("7", "executing \"t\" at <.A>: A is not a method but has arguments"));
        assertThat(Go.error("{{ 1 2 }}"))
                .isEqualTo(at("3", "executing \"t\" at <1>: can't give argument to non-function 1"));
    }

    @Test
    void aNamedStringIsNoString() {
        assertThat(Go.error("{{ upper . }}", "{\"$stringer\":\"x\"}"))
                .isEqualTo(at("9", "executing \"t\" at <.>: wrong type for value; expected string; got main.stringer"));
    }

    @Test
    void aPointerIsFollowedOnceForAnArgument() {
        assertThat(Go.render("{{ upper . }}", "{\"$ptr\":\"x\"}")).isEqualTo("X");
        assertThat(Go.error("{{ upper . }}", "{\"$nilptr\":\"string\"}"))
                .isEqualTo(at("9", "executing \"t\" at <.>: dereference of nil pointer of type string"));
        assertThat(Go.error("{{ upper . }}"))
                .isEqualTo(at("9", "executing \"t\" at <.>: invalid value; expected string"));
    }
}
