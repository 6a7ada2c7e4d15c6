package io.osmhub.core.template.go;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class VariableTest {
    @Test
    void anAssignmentReachesTheOuterVariable() {
        assertThat(Go.render("{{ $x := 1 }}{{ if true }}{{ $x = 2 }}{{ $x := 3 }}{{ end }}{{ $x }}"))
                .isEqualTo("2");
    }

    @Test
    void aDeclarationEndsWithItsBlock() {
        assertThat(Go.error("{{ if true }}{{ $x := 1 }}{{ end }}{{ $x }}"))
                .isEqualTo("template: t:1: undefined variable \"$x\"");
    }

    @Test
    void aVariableThatWasOnlyAssignedFailsWhenItIsReached() {
        assertThat(Go.error("{{ $x = 1 }}"))
                .isEqualTo("template: t:1:8: executing \"t\" at <1>: undefined variable: $x");
    }

    @Test
    void theDollarSignIsTheData() {
        assertThat(Go.render("{{ with .a }}{{ $.b }}{{ end }}", "{\"a\":1,\"b\":2}"))
                .isEqualTo("2");
    }

    @Test
    void rangeAssignsFirstTheWholeAndThenEachItem() {
        assertThat(Go.render("{{ $x := 0 }}{{ range $x = . }}{{ $x }}{{ end }}{{ $x }}", "[7,8]"))
                .isEqualTo("788");
        assertThat(Go.render("{{ $x := 0 }}{{ range $x = . }}{{ end }}{{ $x }}", "[]"))
                .isEqualTo("[]");
    }

    @Test
    void aDeclarationInParenthesesCountsOnlyWhenItWasEvaluated() {
        assertThat(Go.render("{{ $x := 5 }}{{ and false ($x := 1) }}{{ $x }}{{ and true ($x := 1) }}{{ $x }}"))
                .isEqualTo("false511");
    }

    @Test
    void aCalledTemplateSeesNoVariableOfItsCaller() {
        assertThat(Go.error("{{ $x := 1 }}{{ define \"a\" }}{{ $x }}{{ end }}"))
                .isEqualTo("template: t:1: undefined variable \"$x\"");
        assertThat(Go.render(
                        "{{ define \"a\" }}{{ $x := 9 }}{{ $ }}{{ end }}{{ $x := 1 }}{{ template \"a\" 3 }}{{ $x }}"))
                .isEqualTo("31");
    }
}
