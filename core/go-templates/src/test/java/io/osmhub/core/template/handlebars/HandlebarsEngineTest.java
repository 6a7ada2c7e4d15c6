package io.osmhub.core.template.handlebars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.template.TemplateEngine.CompiledTemplates;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class HandlebarsEngineTest {
    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "{{KubeVersion}}→1.33.2",
                "{{{KubeVersion}}}{{&KubeVersion}}→1.33.21.33.2",
                "<&\">{{quote \"<&>\"}}→<&\">\"<&>\"",
                "{{MaxPods}}→110",
                "[{{HTTPProxy}}{{NetworkConfig.CIDR}}]→[]",
                "{{Network.CIDR}}→10.0.0.0/8",
                "{{Gates.a}}{{Gates.missing}}→2",
                "{{Servers.[0]}}{{Servers.1}}{{Servers.[5]}}→äb",
                "{{#if HTTPProxy}}a{{else}}b{{/if}}→b",
                "{{#if HTTPProxy}}a{{else if MaxPods}}b{{else}}c{{/if}}→b",
                "{{#unless None}}a{{/unless}}→a",
                "{{#if (and MaxPods (eq CloudProviderName \"aws\"))}}a{{/if}}→a",
                "{{#with Network}}{{CIDR}} {{KubeVersion}} {{../KubeVersion}} {{@root.KubeVersion}}{{/with}}→"
                        + "10.0.0.0/8 1.33.2 1.33.2 1.33.2",
                "{{#with HTTPProxy}}a{{else}}b{{/with}}→b",
                "{{#with Network as |n|}}{{n.CIDR}}{{/with}}→10.0.0.0/8",
                "{{#each Servers}}{{@index}}{{this}}{{@first}}{{@last}}{{KubeVersion}} {{/each}}→"
                        + "`0ätruefalse1.33.2 1bfalsetrue1.33.2 `",
                "{{#each Gates}}{{@key}}={{this}},{{/each}}→a=2,z=1,",
                "{{#each Gates as |value key|}}{{key}}={{value}},{{/each}}→a=2,z=1,",
                "{{#each Servers as |server i|}}{{#each ../Gates}}{{server}}{{i}}{{@key}} {{/each}}{{/each}}→"
                        + "`ä0a ä0z b1a b1z `",
                "{{#each None}}a{{else}}b{{/each}}→b",
                "{{#each Servers}}{{#if @last}}{{this}}{{/if}}{{/each}}→b",
                "\\{{KubeVersion}} ${HOME}→{{KubeVersion}} ${HOME}",
                "{{! comment }}{{!-- {{> nothing}} --}}x→x",
                "ä€😀{{#if 1}}ü{{/if}}→ä€😀ü"
            })
    void rendersTheContextOfAProfile(String template, String expected) throws TemplateException {
        assertThat(Profiles.render(template)).isEqualTo(expected);
    }

    @Test
    void aTagAloneOnItsLineLeavesNoLine() throws TemplateException {
        String template = """
                [Service]
                {{#if MaxPods}}
                Pods={{MaxPods}}
                {{else}}
                Pods=none
                {{/if}}
                  {{! a comment }}
                {{#each Servers}}
                  {{#if this}}
                Server={{this}}
                  {{/if}}
                {{/each}}
                {{> tail}}
                End
                """;

        assertThat(Profiles.render(template, Map.of("tail", "Tail=1\n"))).isEqualTo("""
                [Service]
                Pods=110
                Server=ä
                Server=b
                Tail=1
                End
                """);
    }

    @Test
    void aPartialAloneOnItsLineIsIndentedAsItsTagIs() throws TemplateException {
        Map<String, String> snippets = Map.of("unit", "a: {{KubeVersion}}\nb: {{name}}\n");

        assertThat(Profiles.render("x:\n  {{> unit name=\"n\"}}\ny\n", snippets))
                .isEqualTo("x:\n  a: 1.33.2\n  b: n\ny\n");
        assertThat(Profiles.render("{{#base64}}{{> unit name=1}}{{/base64}}", snippets))
                .isEqualTo("YTogMS4zMy4yCmI6IDEK");
        assertThat(Profiles.render("{{> (concat \"un\" \"it\") name=Network.CIDR}}", snippets))
                .isEqualTo("a: 1.33.2\nb: 10.0.0.0/8\n");
    }

    @Test
    void namesOfLoopsAndParametersOfSnippetsAreSeenInInnerBlocks() throws TemplateException {
        Map<String, String> snippets = Map.of(
                "p",
                        "{{#with Network}}{{CIDR}}{{n}}{{#each Servers as |s|}}{{n}}{{s}}{{KubeVersion}}{{/each}}{{/with}}",
                "q", "{{#each Gates as |value key|}}{{x}}{{key}}{{#with Network}}{{CIDR}}{{/with}} {{/each}}");

        assertThat(Profiles.render("{{> p n=7}}", snippets)).isEqualTo("10.0.0.0/877ä1.33.27b1.33.2");
        assertThat(Profiles.render("{{#each Servers as |s|}}{{> q x=s}}{{/each}}", snippets))
                .isEqualTo("äa10.0.0.0/8 äz10.0.0.0/8 ba10.0.0.0/8 bz10.0.0.0/8 ");
        assertThat(Profiles.render(
                        "{{> p KubeVersion=1 n=2}}{{> size size=3}}",
                        Map.of(
                                "p",
                                "{{#with Network}}{{KubeVersion}}{{> r}}{{/with}}",
                                "r",
                                "{{n}}{{KubeVersion}}",
                                "size",
                                "{{size}}")))
                .isEqualTo("1213");
        assertThat(Profiles.render(
                        "{{#each Servers}}{{> r}}{{/each}}", Map.of("r", "{{@index}}{{this}}{{@root.MaxPods}} ")))
                .isEqualTo("0ä110 1b110 ");
        assertThat(Profiles.render("{{#with Network as |KubeVersion|}}{{KubeVersion.CIDR}}{{/with}}"))
                .isEqualTo("10.0.0.0/8");
    }

    @Test
    void snippetsMayCallThemselvesAsLongAsTheyEnd() throws TemplateException {
        Map<String, String> snippets = Map.of("count", "{{#if (gt n 0)}}{{n}} {{> count n=(sub n 1)}}{{/if}}");

        assertThat(Profiles.render("{{> count n=5}}", snippets)).isEqualTo("5 4 3 2 1 ");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "`a\n {{KubeVersio}}`→/etc/file:2:4: unknown name \"KubeVersio\"; did you mean \"KubeVersion\"?",
                "{{#if kubeVersion}}{{/if}}→/etc/file:1:4: unknown name \"kubeVersion\"; did you mean \"KubeVersion\"?",
                "{{upper Xyzzy}}→/etc/file:1:3: unknown name \"Xyzzy\"",
                "{{NetworkConfig.Cidr}}→/etc/file:1:3: unknown field \"Cidr\"; did you mean \"CIDR\"?",
                "{{Network.Cidr}}→/etc/file:1:3: unknown field \"Cidr\"; did you mean \"CIDR\"?",
                "{{KubeVersion.Major}}→/etc/file:1:3: a text has no field \"Major\"",
                "`{{#each Servers}}\n{{Nonne}}{{/each}}`→/etc/file:2:3: unknown name \"Nonne\"; did you mean \"None\"?",
                "{{@nothing}}→/etc/file:1:3: unknown name \"@nothing\"",
                "{{upper @nothing}}→/etc/file:1:3: unknown name \"@nothing\"",
                "{{../KubeVersion}}→/etc/file:1:3: unknown name \"../KubeVersion\"",
                "{{size}}→/etc/file:1:3: unknown name \"size\"",
                "{{> tial}}→/etc/file:1:5: no snippet named \"tial\"; did you mean \"tail\"?",
                "{{> tail Network}}→/etc/file:1:5: a snippet takes values by name, not a context; use {{> tail name=value}}",
                "{{#> tail}}x{{/tail}}→/etc/file:1:6: blocks for partials are not supported; use a snippet",
                "{{#*inline \"x\"}}{{/inline}}→/etc/file:1:5: inline partials and decorators are not supported; use a snippet",
                "{{> (concat \"a\" \"b\")}}→/etc/file:1:6: no snippet named \"ab\"",
                "x {{uper KubeVersion}}→/etc/file:1:5: unknown helper \"uper\"; did you mean \"upper\"?",
                "{{#if (eqq 1 2)}}{{/if}}→/etc/file:1:8: unknown helper \"eqq\"; did you mean \"eq\"?",
                "`a\n{{#KubeVersion}}{{/KubeVersion}}`→/etc/file:2:4: a block without a helper and its argument; use {{#if VALUE}}, {{#unless VALUE}}, {{#each VALUE}} or {{#with VALUE}}",
                "`{{! a\nb\n}} {{!-- }}\n--}} {{Nope}}`→/etc/file:4:8: unknown name \"Nope\"; did you mean \"None\"?",
                "`x\n{{! a\nb }}\n\n{{Nope}}`→/etc/file:5:3: unknown name \"Nope\"; did you mean \"None\"?",
                "`{{! a\nb }}\n{{#if 1}}{{/each}}`→/etc/file:3:13: found: 'each', expected: 'if'",
                "{{upper \"abc}}→/etc/file:1:9: found: '\"abc}}'",
                "`a\n{{#iff 1}}{{/iff}}`→/etc/file:2:3: unknown helper \"iff\"; did you mean \"if\"?",
                "{{upper \"x\" by=1}}→/etc/file:1:3: upper has no argument named by; write upper TEXT",
                "{{#with Network}}{{Network.CIDR}}{{/with}}→/etc/file:1:20: unknown name \"this.Network.CIDR\"",
                "{{#each Servers}}{{../../KubeVersion}}{{/each}}→/etc/file:1:20: unknown name \"../../KubeVersion\"",
                "{{{{raw}}}}{{x}}{{{{/raw}}}}→/etc/file: raw blocks are not supported; write \\{{ for literal braces",
                "{{=<% %>=}}→/etc/file: other delimiters are not supported; use {{ and }}",
                "{{> @partial-block}}→/etc/file:1:5: the tag cannot be rendered",
                "{{~! x}}→/etc/file:1:4: found: '!'",
                "{{#if KubeVersion}}→/etc/file:1:20: found: 'EOF', expected: '{{/'",
                "{{KubeVersion→/etc/file:1:14: found: 'EOF', expected: '}}'",
                "{{/if}}→/etc/file:1:2: found: '{{/', expected: 'EOF'",
                "{{#if 1}}{{/each}}→/etc/file:1:13: found: 'each', expected: 'if'",
                "a {{ }}→/etc/file:1:3: found: '{{', expected: 'EOF'"
            })
    void saysWhatIsWrongAndWhere(String template, String message) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render(template, Map.of("tail", "")))
                .withMessage(message);
    }

    @Test
    void namesTheSnippetInWhichAnErrorIs() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render("\n\n{{> s}}", Map.of("s", "a\nb {{Nope}}")))
                .satisfies(failure -> {
                    assertThat(failure.template()).isEqualTo("s");
                    assertThat(failure.line()).isEqualTo(2);
                    assertThat(failure.column()).isEqualTo(5);
                    assertThat(failure.stage()).isEqualTo(TemplateException.Stage.EXECUTE);
                });
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render("", Map.of("s", "{{#if 1}}")))
                .satisfies(failure -> assertThat(failure.template()).isEqualTo("s"));
    }

    @Test
    void rendersTheSameTextOnManyThreads() throws TemplateException, InterruptedException, ExecutionException {
        TemplateSources sources = new TemplateSources(
                Map.of("s", "{{#each Servers}}{{> t x=this}}\n{{/each}}", "t", "<{{x}}{{MaxPods}}>\n"),
                List.of(
                        new TemplateSources.File("a", "{{#each Gates}}{{@key}}\n  {{> s}}\n{{/each}}"),
                        new TemplateSources.File("b", "{{#base64}}{{> s}}{{/base64}}")));
        CompiledTemplates compiled = new HandlebarsEngine().compile(sources);
        List<String> expected = compiled.render(Profiles.data(), Profiles.environment());

        List<Future<List<String>>> results = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(8)) {
            for (int i = 0; i < 400; i++) {
                results.add(threads.submit(() -> compiled.render(Profiles.data(), Profiles.environment())));
            }
        }

        assertThat(expected.getFirst()).isEqualTo("a\n  <ä110>\n  <b110>\nz\n  <ä110>\n  <b110>\n");
        for (Future<List<String>> result : results) {
            assertThat(result.get()).isEqualTo(expected);
        }
    }
}
