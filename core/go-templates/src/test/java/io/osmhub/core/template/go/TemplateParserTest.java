package io.osmhub.core.template.go;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class TemplateParserTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '~',
            quoteCharacter = '^',
            value = {
                "{{ ~ unclosed action",
                "{{}} ~ missing value for command",
                "{{ end }} ~ unexpected {{end}}",
                "{{ if 1 }} ~ unexpected EOF",
                "{{ if }}{{ end }} ~ missing value for if",
                "{{ if 1 }}{{ else }}{{ else }}{{ end }} ~ expected end; found {{else}}",
                "{{ with 1 }}{{ else if 1 }}{{ end }} ~ unexpected <if> in input",
                "{{ define a }}{{ end }} ~ unexpected \"a\" in define clause",
                "{{ if 1 }}{{ define \"a\" }}{{ end }}{{ end }} ~ unexpected <define> in command",
                "{{ template }} ~ unexpected \"}}\" in template clause",
                "{{ 1 | 2 }} ~ non executable command in pipeline stage 2",
                "{{ | 1 }} ~ unexpected \"|\" in command",
                "{{ (1 }} ~ unclosed left paren",
                "{{ 1) }} ~ unexpected right paren",
                "{{ () }} ~ missing value for parenthesized pipeline",
                "{{ true.x }} ~ unexpected . after term \"true\"",
                "{{ .a-b }} ~ bad character '-'",
                "{{ \u0001 }} ~ unrecognized character in action: '\\x01'",
                "{{ $x, $y := 1 }} ~ too many declarations in command",
                "{{ range $x, 1 }}{{ end }} ~ range can only initialize variables",
                "{{ range $x, $y, $z := . }}{{ end }} ~ too many declarations in range",
                "{{ .abcdefghijklmn!}} ~ bad character '!'",
                "{{ \"abcdefghijklmn\"\"x\" }} ~ unexpected \"\\\"x\\\"\" in operand",
                "{{ 1 /* c */ }} ~ unexpected \"/\" in operand",
                "{{ .a. ~ unexpected \".\" in operand",
                "{{/* c ~ unclosed comment",
                "{{/* c */ }} ~ comment ends before closing delimiter"
            })
    void refusesWithGosWords(String template, String problem) {
        assertThat(Go.error(template)).isEqualTo("template: t:1: " + problem);
    }

    @Test
    void namesTheLineOfTheProblemAndOfTheActionsStart() {
        assertThat(Go.error("a\n\n{{ end }}")).isEqualTo("template: t:3: unexpected {{end}}");
        assertThat(Go.error("a\n{{ 1\n\n")).isEqualTo("template: t:4: unclosed action started at t:2");
        assertThat(Go.error("{{ 1\n`x"))
                .isEqualTo("template: t:2: unterminated raw quoted string in action started at t:1");
    }

    @Test
    void cutsLongTokensInMessages() {
        assertThat(Go.error("{{ template abcdefghijklmn }}"))
                .isEqualTo("template: t:1: unexpected \"abcdefghij\"... in template clause");
    }

    @Test
    void aTemplateIsDefinedOnceUnlessOneIsBlank() {
        assertThat(Go.error("{{ define \"a\" }}1{{ end }}{{ define \"a\" }}2{{ end }}"))
                .isEqualTo("template: t:1: template: multiple definition of template \"a\"");
        assertThat(
                        Go.render(
                                "{{ define \"a\" }} {{ end }}{{ define \"a\" }}2{{ end }}{{ define \"a\" }}{{ end }}{{ template \"a\" }}"))
                .isEqualTo("2");
    }

    @Test
    void aBlockIsDefinedAndCalled() {
        assertThat(Go.render("{{ block \"b\" .x }}[{{ . }}]{{ end }}{{ template \"b\" 2 }}", "{\"x\":1}"))
                .isEqualTo("[1][2]");
    }

    @Test
    void saysWhereAndWhatElseWasMeant() {
        TemplateException failure = Go.failure("é\né {{ lenn 1 }}", "null");

        assertThat(failure).hasMessage("template: t:2: function \"lenn\" not defined");
        assertThat(failure.stage()).isEqualTo(Stage.PARSE);
        assertThat(failure.template()).isEqualTo("t");
        assertThat(failure.line()).isEqualTo(2);
        assertThat(failure.column()).isEqualTo(6);
        assertThat(failure.what()).isEqualTo("function \"lenn\" not defined");
        assertThat(failure.suggestion()).isEqualTo("did you mean \"len\"?");
    }

    @Test
    void bearsAnyNesting() {
        assertThat(Go.error("{{ " + "(".repeat(100_000))).isEqualTo("template: t:1: max expression depth exceeded");
        assertThat(Go.error("{{ if 1 }}".repeat(100_000))).isEqualTo("template: t:1: more than 300 levels of nesting");
        assertThat(Go.render("{{ " + "(".repeat(250) + "1" + ")".repeat(250) + " }}"))
                .isEqualTo("1");
    }
}
