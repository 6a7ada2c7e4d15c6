package io.osmhub.core.template.go;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class GoTemplateEngineTest {
    private static final String DATA =
            "{\"token\":\"secret\",\"braces\":\"{{ .token }}\",\"broken\":\"{{ end }}{{end}}\",\"é\":\"ü\"}";

    private static List<String> render(Map<String, String> snippets, String... files) throws TemplateException {
        List<TemplateSources.File> list = new ArrayList<>();
        for (int i = 0; i < files.length; i++) {
            list.add(new TemplateSources.File("/f" + i, files[i]));
        }
        return new GoTemplateEngine(Go.FUNCTIONS)
                .compile(new TemplateSources(snippets, list))
                .render(Go.data(DATA), Go.environment(RenderLimits.DEFAULT));
    }

    @Test
    void rendersEveryFileInOrder() throws TemplateException {
        assertThat(render(Map.of(), "a {{ .token }}", "é {{ .é }}", "")).containsExactly("a secret", "é ü", "");
    }

    @Test
    void aSnippetBeginsWithALineFeedAndLosesTheBlanksAtItsEnd() throws TemplateException {
        assertThat(render(Map.of("s", "  x: {{ .token }}\n\n\t"), "y:{{ template \"s\" }}|"))
                .containsExactly("y:\n  x: secret|");
    }

    @Test
    void aBlankSnippetGivesNothing() throws TemplateException {
        assertThat(render(Map.of("s", "{{ if false }}x{{ end }}\n "), "[{{ template \"s\" . }}]"))
                .containsExactly("[]");
    }

    @Test
    void aSnippetReplacesAFilesDefinitionUnlessItIsBlank() throws TemplateException {
        assertThat(
                        render(
                                Map.of("s", "new", "b", " "),
                                "{{ define \"s\" }}own{{ end }}{{ define \"b\" }}own{{ end }}{{ template \"s\" }}{{ template \"b\" }}"))
                .containsExactly("\nnewown");
    }

    @Test
    void aSnippetNamedAsTheFileReplacesIt() throws TemplateException {
        assertThat(render(Map.of("/f0", "snippet"), "file", "file")).containsExactly("\nsnippet", "file");
    }

    @Test
    void whatASnippetGivesIsSourceAgain() throws TemplateException {
        Map<String, String> snippets = Map.of("s", "{{ `{{ .token }}` }}");

        assertThat(render(snippets, "{{ template \"s\" . }}", "{{ template \"s\" }}"))
                .containsExactly("\nsecret", "\n<no value>");
    }

    @Test
    void aValueThatASnippetPassesOnStaysAValue() throws TemplateException {
        Map<String, String> snippets =
                Map.of("s", "{{ if .braces }}a {{ .braces | upper }}{{ end }}", "own", "{{ .braces }}{{ `{` }}");

        assertThat(render(snippets, "{{ template \"s\" . }}", "{{ template \"own\" . }}"))
                .containsExactly("\na {{ .TOKEN }}", "\nsecret{");
    }

    @Test
    void aValueThatASnippetPassesOnHasToParse() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> render(Map.of("s", "{{ .broken }}"), "{{ template \"s\" . }}"))
                .withMessage("template: /f0:3: unexpected {{end}}");
    }

    @Test
    void errorsOfTheSecondParseNameTheFile() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> render(Map.of("s", "a\n{{ `{{ nope }}` }}"), "file"))
                .withMessage("template: /f0:4: function \"nope\" not defined")
                .satisfies(failure -> assertThat(failure.stage()).isEqualTo(Stage.PARSE));
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> render(Map.of("s", "{{ `{{ fail \"x\" }}` }}"), "", "{{ template \"s\" }}"))
                .withMessage("template: /f1:3:3: executing \"s\" at <fail \"x\">: error calling fail: x");
    }

    @Test
    void snippetsCannotCallEachOther() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> render(Map.of("a", "{{ template \"b\" }}", "b", "x")))
                .withMessage("template: a:1:12: executing \"a\" at <{{template \"b\"}}>: template \"b\" not defined")
                .satisfies(failure -> assertThat(failure.template()).isEqualTo("a"));
    }

    @Test
    void aBrokenSnippetFailsEvenWhenNoFileCallsIt() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> render(Map.of("s", "{{ fail \"broken\" }}"), "file"))
                .withMessage("template: s:1:3: executing \"s\" at <fail \"broken\">: error calling fail: broken");
    }
}
