package io.osmhub.core.template.handlebars;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

@Timeout(20)
class HostileTemplateTest {
    private static final String DIGITS = "(list 0 1 2 3 4 5 6 7 8 9)";

    private static final RenderLimits SMALL = new RenderLimits(1 << 18, 100_000, 200, Duration.ofSeconds(2));

    private static void assertLimit(String template, Map<String, String> snippets, String message) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render(template, snippets, Profiles.environment(SMALL)))
                .satisfies(failure -> {
                    assertThat(failure.stage()).isEqualTo(Stage.LIMIT);
                    assertThat(failure.what()).contains(message);
                });
    }

    private static String loops(int depth, String body) {
        return ("{{#each " + DIGITS + "}}").repeat(depth) + body + "{{/each}}".repeat(depth);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{class}}",
                "{{this.class}}",
                "{{getClass}}",
                "{{KubeVersion.class.name}}",
                "{{KubeVersion.bytes}}",
                "{{Servers.class}}",
                "{{Servers.size}}",
                "{{Gates.entries.class}}",
                "{{@root.class}}",
                "{{@root.value}}",
                "{{this.value}}",
                "{{Network.type}}",
                "{{Network.fields}}",
                "{{constructor}}",
                "{{__proto__}}",
                "{{MaxPods.target}}",
                "{{#with this}}{{type}}{{/with}}",
                "{{@first.class}}",
                "{{#with class}}x{{/with}}",
                "{{__inline_partials_}}",
                "{{arguments}}",
                "{{> s x=arguments}}",
                "{{toJson arguments}}",
                "{{model}}",
                "{{../class}}",
                "{{#each Servers}}{{@index.class}}{{/each}}",
                "{{lookup this \"class\"}}",
                "{{get this \"class\"}}x"
            })
    void javaObjectsCannotBeReached(String template) {
        String result;
        try {
            result = Profiles.render(template);
        } catch (TemplateException refused) {
            result = "refused";
        }
        assertThat(result).isIn("refused", "", "x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{{log \"x\"}}",
                "{{precompile \"x\"}}",
                "{{embedded \"x\"}}",
                "{{i18n \"x\"}}",
                "{{i18nJs \"x\"}}",
                "{{include \"x\"}}",
                "{{#block \"x\"}}{{/block}}",
                "{{#partial \"x\"}}{{/partial}}",
                "{{helperMissing 1}}",
                "{{> /etc/passwd}}",
                "{{> ../../etc/passwd}}",
                "{{> (concat \"/etc/\" \"passwd\")}}",
                "{{> file:///etc/passwd}}",
                "{{> [http://localhost/x]}}"
            })
    void neitherFilesNorTheLibrarysOwnHelpersCanBeReached(String template) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render(template))
                .satisfies(failure -> assertThat(failure.what())
                        .containsAnyOf("unknown", "no snippet named", "unexpected", "shouldn't start with"));
    }

    @Test
    void loopsEndAtTheStepLimit() {
        assertLimit(loops(8, ""), Map.of(), "render.");
    }

    @Test
    void outputEndsAtItsLimit() {
        assertLimit(loops(5, "0123456789"), Map.of(), "more than 256 KiB of output (limit render.outputLimit)");
    }

    @Test
    void valuesThatDoubleEndAtTheirLimit() {
        String doubling = "{{#with (concat this this)}}".repeat(40) + "{{/with}}".repeat(40);

        assertLimit("{{#with \"0123456789\"}}" + doubling + "{{/with}}", Map.of(), "of intermediate values");
        assertLimit("{{#base64}}" + loops(7, "0123456789") + "{{/base64}}", Map.of(), "render.");
        assertLimit(
                "{{#with (replace \"a\" (indent 1000 \"a\") (indent 1000 \"a\"))}}"
                        + "{{#with (replace \" \" this this)}}{{replace \" \" this this}}{{/with}}{{/with}}",
                Map.of(),
                "render.");
    }

    @Test
    void snippetsThatCallEachOtherForeverEndAtTheDepthLimit() {
        assertLimit("{{> a}}", Map.of("a", "{{> b}}", "b", "{{> a}}"), "render.depthLimit");
        assertLimit("{{> a}}", Map.of("a", "x\n  {{> a}}\n"), "");
        // Which limit comes first depends on the size of the thread's stack.
        assertLimit("{{> a}}", Map.of("a", "{{#each Servers}}{{#if 1}}{{> a}}{{/if}}{{/each}}"), "");
        assertLimit("{{> a n=0}}", Map.of("a", "{{#with Network}}{{> a n=(add n 1)}}{{/with}}"), "");
    }

    @Test
    void aBranchingSnippetEndsAtTheStepLimit() {
        assertLimit(
                "{{> a n=0}}",
                Map.of("a", "{{#if (lt n 100)}}{{> a n=(add n 1)}}{{> a n=(add n 1)}}{{/if}}"),
                "render.");
    }

    private static void assertRefused(String template, String message) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render(template))
                .withMessage(message);
    }

    @Test
    void textsThatTakeLongToParseAreRefused() {
        String path = "/etc/file: a path with more than 32 dots and slashes; use {{#with}}";
        assertRefused("a\n {{x" + ".a".repeat(33) + "}}", path);
        assertRefused("{{#if (eq 1 " + "../".repeat(17) + "x)}}{{/if}}", path);
        assertRefused("{{concat \"}}\" x" + ".a".repeat(1000) + "}}", path);
        assertRefused("{{concat \"{{\" x" + ".a".repeat(1000) + "}}", path);

        String tags = "/etc/file: tags of more than 100000 characters in a profile; use fewer";
        assertRefused("{{concat " + "\"a\" ".repeat(25_000) + "}}", tags);
        assertRefused("{{upper \"}}\"" + " ".repeat(100_000) + "}}", tags);
        assertRefused("x\n{{a}}".repeat(34_000), tags);
        assertRefused("{{".repeat(100_000), "/etc/file: raw blocks are not supported; write \\{{ for literal braces");
    }

    @Test
    void longCommentsAndManyPathsAreAccepted() throws TemplateException {
        assertThat(Profiles.render("{{!-- " + "a.b/c".repeat(5000) + " --}}x")).isEqualTo("x");
        assertThat(Profiles.render("{{concat " + "Network.CIDR ".repeat(100) + "}}"))
                .hasSize(1000);
        assertThat(Profiles.render("{{#if 1}}".repeat(50) + "x" + "{{/if}}".repeat(50)))
                .isEqualTo("x");
    }

    @Test
    void manyProfilesDoNotFillTheLibrarysCacheOfPaths() throws TemplateException {
        Profiles.render("{{#if 0}}{{firstProfile}}{{/if}}");
        assertThat(RestrictedHandlebars.PATHS.toString()).contains("firstProfile");

        Profiles.render("x".repeat(300_001));
        assertThat(RestrictedHandlebars.PATHS.toString()).doesNotContain("firstProfile");
    }

    @Test
    void blocksNestedWithoutEndAreRefused() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render("{{#if 1}}".repeat(20_000) + "{{/if}}".repeat(20_000)));
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render("{{upper " + "(upper ".repeat(20_000) + ")".repeat(20_000) + "}}"));
    }

    @Test
    void timeEnds() {
        RenderLimits limits = new RenderLimits(4 << 20, Long.MAX_VALUE, 200, Duration.ofMillis(50));
        AtomicLong nanos = new AtomicLong();

        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> Profiles.render(
                        loops(9, ""), Map.of(), Profiles.environment(limits, () -> nanos.addAndGet(1_000_000))))
                .satisfies(
                        failure -> assertThat(failure.what()).isEqualTo("longer than 50ms (limit render.timeLimit)"));
    }
}
