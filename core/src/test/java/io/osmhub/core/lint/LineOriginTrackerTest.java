package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.golang.GoType;
import io.osmhub.core.golang.GoValue;
import io.osmhub.core.golang.GoValue.GoMap;
import io.osmhub.core.lint.ProfileSourceMap.ConfigName;
import io.osmhub.core.lint.ProfileSourceMap.SourceText;
import io.osmhub.core.template.Sandbox;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Marks change nothing of what is rendered, and tell where each line comes from. */
final class LineOriginTrackerTest {
    private static final GoValue DATA = new GoMap(GoType.mapOf(GoType.STRING, GoType.STRING), Map.of());

    private static String render(String text, TemplateLanguage language) throws TemplateException {
        Sandbox sandbox = new Sandbox.Factory(RenderLimits.DEFAULT, System::nanoTime).open();
        return new TemplateEngines()
                .apply(language)
                .compile(new TemplateSources(Map.of(), List.of(new TemplateSources.File("f", text))))
                .render(DATA, sandbox)
                .getFirst();
    }

    private static LineOriginTracker.Rendered marked(String text, TemplateLanguage language) throws TemplateException {
        LineOriginTracker marks = new LineOriginTracker();
        SourceText source = new SourceText(ConfigName.bootstrapConfig, false, "f", "spec", "f", text);
        return marks.readMarks(render(marks.mark(source, language), language));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\n  b\n\nc",
                "a\n{{- if true }}\n  b\n{{- end }}\nc\n",
                "a\n{{ if true -}}\n  b\n{{ end -}}\nc\n",
                "  {{ \"x\" }} y\n\t{{- \"z\" -}}  \n w",
                "{{/* a\nb */}}c\n{{ `raw\ntext` }}\nd {{ \"}}\" }} e\n",
                "{{ range $i := list 1 2 -}}\n  line {{ $i }}\n{{ end }}last",
                "{{ define \"t\" }}\n in t\n{{ end }}\n{{ template \"t\" }}\n",
                "a {{- \"b\" }}\n \n {{ toYaml (dict \"x\" (list 1 2)) }}\nz",
            })
    void changeNothingInGoTemplates(String text) throws TemplateException {
        assertThat(marked(text, TemplateLanguage.GO).plain()).isEqualTo(render(text, TemplateLanguage.GO));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "a\n{{#if true}}\n b\n{{else}}\n c\n{{/if}}\nd\n",
                "{{! comment }}\na {{!-- }} --}} b\n  {{{ upper \"x\" }}}\n{{&upper \"y\"}}",
            })
    void changeNothingInHandlebarsTemplates(String text) throws TemplateException {
        assertThat(marked(text, TemplateLanguage.HANDLEBARS).plain())
                .isEqualTo(render(text, TemplateLanguage.HANDLEBARS));
    }

    @Test
    void tellWhereEachLineComesFrom() throws TemplateException {
        String text = """
                {{- /* nothing */}}
                one
                {{- range $i := list 1 2 }}
                  line {{ $i }}
                {{- end }}
                {{ toYaml (dict "a" 1 "b" 2) }}
                last
                """;

        LineOriginTracker.Rendered rendered = marked(text, TemplateLanguage.GO);

        List<String> lines = rendered.plain().lines().toList();
        assertThat(lines).containsExactly("", "one", "  line 1", "  line 2", "a: 1", "b: 2", "last");
        assertThat(rendered.lines().subList(1, 7))
                .extracting(line -> line == null ? 0 : line.number())
                .containsExactly(2, 4, 4, 6, 6, 7);
    }

    @Test
    void leaveATextAloneThatUsesTheirCharacters() throws TemplateException {
        String text = "a\n\uE000b\n";

        assertThat(marked(text, TemplateLanguage.GO).lines()).allMatch(line -> line == null);
    }
}
