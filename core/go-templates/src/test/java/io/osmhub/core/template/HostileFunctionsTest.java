package io.osmhub.core.template;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.osmhub.core.golang.GoValue.GoNil;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateEngine.TemplateSources;
import io.osmhub.core.template.TemplateException.Stage;
import io.osmhub.core.template.language.TemplateEngines;
import io.osmhub.core.template.language.TemplateLanguage;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/**
 * Go templates that would take hours or the whole heap. The clock stands still, so only what is charged before the work can end
 * them; the time-out is there for the day when something is not.
 */
@Timeout(60)
class HostileFunctionsTest {
    private static final TemplateEngines LANGUAGES = new TemplateEngines();
    private static final RenderLimits SMALL = new RenderLimits(1 << 20, 100_000, 200, Duration.ofSeconds(2));

    private static String render(String template, Map<String, String> snippets, RenderLimits limits)
            throws TemplateException {
        return render(template, snippets, limits, () -> 0L);
    }

    private static String render(
            String template, Map<String, String> snippets, RenderLimits limits, LongSupplier nanoTime)
            throws TemplateException {
        Sandbox sandbox = new Sandbox.Factory(limits, nanoTime).open();
        TemplateSources sources = new TemplateSources(snippets, List.of(new TemplateSources.File("/f", template)));
        return LANGUAGES
                .apply(TemplateLanguage.GO)
                .compile(sources)
                .render(GoNil.ANY, sandbox)
                .getFirst();
    }

    private static void assertLimit(String template, Map<String, String> snippets) {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> render(template, snippets, SMALL))
                .satisfies(failure -> {
                    assertThat(failure.stage()).as(failure.what()).isEqualTo(Stage.LIMIT);
                    assertThat(failure.what()).hasSizeLessThan(200);
                });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "repeat→{{ repeat 4000000000 \"ab\" }}",
                "indent→{{ indent 9000000000 \"ab\" }}",
                "until→{{ until 1000000000 }}",
                "untilStep→{{ untilStep -9000000000000000000 9000000000000000000 1 }}",
                "seq→{{ seq 1 1000000000 }}",
                "range→{{ range 4000000000 }}{{ end }}",
                "printf width→{{ range 1000 }}{{ $x := printf '%999999d' 1 }}{{ end }}",
                "printf precision→{{ range 1000 }}{{ $x := printf '%.999999f' 1.1 }}{{ end }}",
                "replace→{{ replace \"a\" (repeat 10000 \"b\") (repeat 100000 \"a\") }}",
                "wrapWith→{{ wrapWith 1 (repeat 10000 \"b\") (repeat 10000 \"a \") }}",
                "trimAll→{{ trimAll (print (repeat 100000 \"a\") \"c\") (repeat 100000 \"c\") }}",
                "contains→{{ contains (print (repeat 100000 \"a\") \"b\") (repeat 200000 \"a\") }}",
                "splitList→{{ splitList \"\" (repeat 1000000 \"a\") }}",
                "uniq→{{ uniq (until 10000) }}",
                "regexMatch→{{ regexMatch (repeat 10 \"a{900}\") \"a\" }}",
                "regexFindAll→{{ regexFindAll \"a*b\" (repeat 1000000 \"a\") -1 }}",
                "regexReplaceAll→{{ regexReplaceAll \"(a+)\" (repeat 100000 \"a\") (repeat 1000 \"$1\") }}",
                "semver→{{ semver (repeat 10000 \"1\") }}",
                "semverCompare→{{ semverCompare (repeat 10000 \" \") \"1.2.3\" }}",
                "addf→{{ range 10000 }}{{ $x := addf 1e308 1e-308 1e308 1e-308 1 }}{{ end }}",
                "float64→{{ $s := repeat 1000000 \"1\" }}{{ range 1000 }}{{ $x := float64 $s }}{{ end }}",
                "eq→{{ $s := repeat 1000000 \"1\" }}{{ $t := print $s }}{{ range 10000 }}{{ $x := eq $s $t }}{{ end }}",
                "lt→{{ $s := repeat 1000000 \"1\" }}{{ $t := print $s }}{{ range 10000 }}{{ $x := lt $s $t }}{{ end }}",
                "sha512sum→{{ $s := repeat 1000000 \"1\" }}{{ range 1000 }}{{ $x := sha512sum $s }}{{ end }}",
                "append→{{ $l := list }}{{ range 100000 }}{{ $l = append $l . }}{{ end }}",
                "keys→{{ $d := dict }}{{ range $i := until 1000 }}{{ $d = set $d (print $i) $i }}{{ end }}{{ range 1000 }}{{ $x := keys $d }}{{ end }}",
                "fromYaml deep→{{ range 1000 }}{{ $x := fromYaml (repeat 1000 \"- \") }}{{ end }}",
                "fromToml dots→{{ fromToml (print \"a\" (repeat 100000 \".a\") \"=1\") }}",
                "fromToml headers→{{ fromToml (repeat 3000 (print \"[[a\" (repeat 100 \".a\") \"]]\\n\")) }}"
            })
    void isRefusedBeforeTheWorkIsDone(String function, String template) {
        assertLimit(template.replace('\'', '`'), Map.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "print $l",
                "toJson $l",
                "toPrettyJson $l",
                "toRawJson $l",
                "toYaml $l",
                "toToml (dict \"a\" $l)",
                "deepCopy $l",
                "deepEqual $l $m",
                "uniq (list $l $m)",
                "has $l (list $m)",
                "quote $l",
                "cat $l",
                "html $l",
                "toString $l",
                "toStrings $l",
                "join \",\" $l",
                "merge (dict \"a\" $d) (dict \"a\" $e)",
                "dict $l 1"
            })
    void aSmallValueThatIsHugeWhenWrittenOutIsRefused(String call) {
        assertLimit(
                "{{ $l := list 1 1 }}{{ $m := list 1 1 }}{{ $d := dict \"a\" 1 }}{{ $e := dict \"b\" 1 }}{{ range until 60 }}"
                        + "{{ $l = list $l $l }}{{ $m = list $m $m }}{{ $d = dict \"a\" $d \"b\" $d }}"
                        + "{{ $e = dict \"a\" $e \"b\" $e \"c\" $e }}{{ end }}{{ $x := " + call + " }}",
                Map.of());
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '→',
            quoteCharacter = '`',
            value = {
                "print $d",
                "toYaml $d",
                "deepCopy $d",
                "deepEqual $d $e",
                "merge $d $e",
                "join \",\" (list $d)",
                "without (list $d) $e"
            })
    void aMapThatHoldsItselfIsRefused(String call) {
        assertLimit(
                "{{ $d := dict }}{{ $d = set $d \"s\" $d }}{{ $e := dict }}{{ $e = set $e \"s\" $e }}{{ $x := " + call
                        + " }}",
                Map.of());
    }

    @Test
    void valuesNestedVeryDeeplyAreRefusedInOrder() {
        for (String call : List.of("print $l", "toYaml $l", "deepCopy $l", "deepEqual $l $m", "toStrings $l")) {
            assertLimit(
                    "{{ $l := list }}{{ $m := list }}{{ range 5000 }}{{ $l = list $l }}{{ $m = list $m }}{{ end }}{{ $x := "
                            + call + " }}",
                    Map.of());
        }
    }

    @Test
    void readsNumbersOfAMillionDigitsAtOnce() throws TemplateException {
        assertThat(render(
                        "{{ (fromYaml (print \"a: \" (repeat 1000000 \"1\"))).a | kindOf }} {{ (fromYaml \"a: 0x00000000000000000000000"
                                + "0000000000000000000000000000000000000000000000000ff\").a }} {{ atoi (repeat 1000000 \"1\") }}",
                        Map.of(),
                        RenderLimits.DEFAULT))
                .isEqualTo("string 255 9223372036854775807");
    }

    @Test
    void whatASnippetGivesIsReadAtTheExpenseOfTheFile() {
        assertLimit("x", Map.of("s", "{{ repeat 100000 \"{{1}}\" }}"));
    }

    @Test
    void templatesThatCallThemselvesEndAtTheDepthLimit() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() ->
                        render("{{ define \"a\" }}{{ template \"a\" }}{{ end }}{{ template \"a\" }}", Map.of(), SMALL))
                .withMessageContaining("render.depthLimit");
    }

    @Test
    void aVeryLongReasonIsCut() {
        assertThatExceptionOfType(TemplateException.class)
                .isThrownBy(() -> render("{{ fail (repeat 100000 \"a\") }}", Map.of(), SMALL))
                .satisfies(failure -> {
                    assertThat(failure.what()).hasSizeLessThan(5_000).endsWith("...");
                    assertThat(failure.getMessage()).hasSizeLessThan(5_000).endsWith("...");
                });
    }
}
