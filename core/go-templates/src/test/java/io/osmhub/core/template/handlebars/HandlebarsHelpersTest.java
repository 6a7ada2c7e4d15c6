package io.osmhub.core.template.handlebars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.template.FunctionCatalog;
import io.osmhub.core.template.FunctionCatalog.FunctionReference;
import io.osmhub.core.template.TemplateException;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class HandlebarsHelpersTest {
    static List<FunctionReference> documented() {
        return FunctionCatalog.of(FunctionCatalog.FunctionReference.Language.HANDLEBARS);
    }

    @ParameterizedTest
    @MethodSource("documented")
    void everyExampleInTheDocumentationIsTrue(FunctionReference helper) throws TemplateException {
        assertThat(helper.description()).endsWith(".").hasSizeLessThan(200);
        assertThat(helper.signature()).contains(helper.name());
        assertThat(helper.example()).contains(helper.name());
        assertThat(Profiles.render(helper.example())).isEqualTo(helper.result());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "{{eq MaxPods 110}}→true",
                "{{eq CloudProviderName \"aws\"}}→true",
                "{{eq HTTPProxy NetworkConfig}}→true",
                "{{eq HTTPProxy \"\"}}→false",
                "{{default HTTPProxy \"none\"}}→none",
                "{{default NetworkConfig.CIDR \"0/0\"}}→0/0",
                "{{upper CloudProviderName}}→AWS",
                "{{upper \"ä\"}}→Ä",
                "{{join \"\\n\" Servers}}→`ä\nb`",
                "{{join \",\" None}}→``",
                "{{len Servers}} {{len Gates}} {{len HTTPProxy}} {{len \"ä\"}}→2 2 0 2",
                "{{toJson Network}} {{toJson HTTPProxy}} {{toJson \"<&>\"}}→{\"CIDR\":\"10.0.0.0/8\"} null \"<&>\"",
                "{{get Gates \"a\"}}{{get Gates \"q\"}}{{get Network \"CIDR\"}}→210.0.0.0/8",
                "{{first None}}{{last None}}{{index Servers 7}}→``",
                "{{semver \"~1.33.0\" KubeVersion}}→true",
                "{{add MaxPods \"5\"}}→115",
                "{{len (list)}} {{toJson (dict a=1)}} {{toJson (list (list) (dict))}}→0 {\"a\":1} [[],{}]",
                "{{lt \"a\" \"b\"}} {{le 1 1.5}} {{gt 2 1.5}}→true true true",
                "{{base64 \"ä\"}}→w6Q=",
                "{{base64Decode (base64 \"ä\")}}→ä",
                "{{shellQuote (concat \"a'b\" CloudProviderName)}}→'a'\\''baws'",
                "{{indent 2 \"a\\n\\nb\\n\"}}→`  a\n\n  b\n`",
                "`{{#indent 2}}a\nb\n{{/indent}}`→`  a\n  b\n`",
                "{{#base64}}hello{{/base64}}→aGVsbG8=",
                "{{#each (split \",\" \"a,,b\")}}[{{this}}]{{/each}}→[a][][b]",
                "{{#each (split \",\" \"\")}}x{{else}}none{{/each}}→none",
                "{{trimPrefix \"v\" \"v1\"}}{{trimSuffix \"x\" \"v1\"}}→1v1",
                "{{coalesce HTTPProxy NetworkConfig \"\"}}→``",
                "{{and MaxPods HTTPProxy}}→``"
            })
    void workOnTheContextOfAProfile(String template, String expected) throws TemplateException {
        assertThat(Profiles.render(template)).isEqualTo(expected);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            value = {
                "{{indent \"x\" \"a\"}}→indent: argument 1 must be a whole number, not a text",
                "{{indent -1 \"a\"}}→indent: argument 1 must be from 0 to 1000",
                "{{join \",\" KubeVersion}}→join: argument 2 must be a list, not a text",
                "{{upper Servers}}→upper: a list cannot be printed; use one of its elements, join, toJson or toYaml",
                "{{eq 1 \"1\"}}→eq: cannot compare a number with a text",
                "{{lt 1 \"1\"}}→lt: cannot compare a number with a text",
                "{{add 9007199254740993 9223372036854775807}}→add: argument 1 must be a whole number, not a number",
                "{{split \"\" \"abc\"}}→split: argument 1 must not be empty",
                "{{dict \"a\"}}→dict: the last key has no value",
                "{{base64Decode \"%%%a\"}}→base64Decode: the text is not base64",
                "{{fail \"set a proxy\"}}→fail: set a proxy",
                "{{Servers}}→a list cannot be printed; use one of its elements, join, toJson or toYaml",
                "{{Network}}→a structure cannot be printed; use one of its elements, join, toJson or toYaml",
                "{{Gates}}→a map cannot be printed; use one of its elements, join, toJson or toYaml",
                "{{#each KubeVersion}}{{/each}}→each expects a list or a map, not a text"
            })
    void sayWhatIsWrongWithAnArgument(String template, String cause) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render(template))
                .satisfies(failure -> assertThat(failure.what()).isEqualTo(cause));
    }

    @Test
    void showHowTheyAreCalledWhenArgumentsAreMissing() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render("x {{replace \"a\" \"b\"}}"))
                .withMessage("/etc/file:1:5: replace called with 2 arguments; write replace OLD NEW TEXT");
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render("{{#if}}{{/if}}"))
                .withMessage(
                        "/etc/file:1:4: a block without a helper and its argument; use {{#if VALUE}}, {{#unless VALUE}}, {{#each VALUE}} or {{#with VALUE}}");
    }

    private static final List<String> ANY_KIND = List.of(
            "KubeVersion",
            "MaxPods",
            "HTTPProxy",
            "Servers",
            "Gates",
            "Network",
            "\"\"",
            "-1",
            "true",
            "2.5",
            "\"~%\"");

    /** For any arguments, a helper returns a text or reports what is wrong with them, and where. */
    @ParameterizedTest
    @MethodSource("documented")
    void answerAnyKindOfArgument(FunctionReference helper) {
        for (String first : ANY_KIND) {
            for (String second : ANY_KIND) {
                for (String call : List.of(first, first + " " + second, first + " " + second + " " + first)) {
                    assertAnswers("{{" + helper.name() + " " + call + "}}");
                    assertAnswers("{{#" + helper.name() + " " + call + "}}x{{/" + helper.name() + "}}");
                }
            }
        }
    }

    private static void assertAnswers(String template) {
        try {
            Profiles.render(template);
        } catch (TemplateException failure) {
            assertThat(failure.line()).as(template).isEqualTo(1);
            assertThat(failure.column()).as(template + " " + failure.what()).isPositive();
            assertThat(failure.what())
                    .as(template)
                    .doesNotContain("Exception")
                    .doesNotContain("io.osmhub")
                    .doesNotContain("null");
        }
    }

    /** Named arguments reach {@code dict} only. */
    @ParameterizedTest
    @MethodSource("documented")
    void sayHowTheyAreCalled(FunctionReference helper) {
        String tooMany = "1 ".repeat(20);
        boolean takesAny = helper.name().equals("get")
                || helper.signature().contains("...")
                || helper.signature().startsWith("{{#");
        if (!takesAny) {
            assertThatExceptionOfType(TemplateException.class)
                    .isThrownBy(() -> Profiles.render("{{" + helper.name() + " " + tooMany + "}}"))
                    .withMessage("/etc/file:1:3: " + helper.name() + " called with 20 arguments; write "
                            + helper.signature());
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "`a  {{~upper \"x\"~}}  b`→aXb",
                "`a {{~#if 1~}} y {{~else~}} z {{~/if~}} b`→ayb",
                "`a\n\n{{~KubeVersion}}\n\nb`→`a1.33.2\n\nb`",
                "`[{{~#each Servers~}} {{this}} {{~/each~}} ]`→[äb]",
                "`a {{~> s ~}} b`→asb"
            })
    void blanksGoWhereATildeStands(String template, String expected) throws TemplateException {
        assertThat(Profiles.render(template, Map.of("s", "s"))).isEqualTo(expected);
    }
}
