package io.osmhub.core.template.go;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.golang.GoValue.GoFunction;
import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.functions.FunctionRegistry;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ControlTest {
    private static final String TRUTHS = "{{ range . }}{{ if . }}T{{ else }}F{{ end }}{{ end }}";

    @Test
    void knowsWhatIsTrue() {
        assertThat(Go.render(
                        TRUTHS,
                        "[true, 1, \"x\", [0], {\"a\":0}, {\"$ptr\":0}, {\"$struct\":[]}, {\"$func\":\"add\"}]"))
                .isEqualTo("TTTTTTTT");
        assertThat(Go.render(TRUTHS, "[false, 0, \"\", [], {}, null, {\"$nilptr\":\"int\"}, {\"$nilmap\":0}]"))
                .isEqualTo("FFFFFFFF");
    }

    @Test
    void goesOnWithElseIfAndElseWith() {
        assertThat(Go.render("{{ if .a }}1{{ else if .b }}2{{ else }}3{{ end }}", "{\"b\":1}"))
                .isEqualTo("2");
        assertThat(Go.render("{{ with .a }}1{{ else with .b }}{{ . }}{{ else }}3{{ end }}", "{\"b\":7}"))
                .isEqualTo("7");
    }

    @Test
    void withSetsDotAndElseKeepsIt() {
        assertThat(Go.render(
                        "{{ with .a }}{{ .b }}{{ end }}{{ with .z }}{{ else }}{{ .c }}{{ end }}",
                        "{\"a\":{\"b\":1},\"c\":2}"))
                .isEqualTo("12");
    }

    @Test
    void rangesOverListsInOrderAndMapsByKey() {
        assertThat(Go.render("{{ range $i, $e := .l }}{{ $i }}{{ $e }} {{ end }}", "{\"l\":[\"b\",\"a\"]}"))
                .isEqualTo("0b 1a ");
        assertThat(Go.render("{{ range $k, $v := . }}{{ $k }}{{ $v }} {{ end }}", "{\"b\":1,\"a\":2,\"é\":3}"))
                .isEqualTo("a2 b1 é3 ");
        assertThat(Go.render("{{ range . }}{{ . }}{{ end }}", "{\"$intkeys\":{\"10\":\"x\",\"9\":\"y\"}}"))
                .isEqualTo("yx");
    }

    @Test
    void rangesOverAnIntegerAsItsType() {
        assertThat(Go.render("{{ range $i := . }}{{ printf \"%d%T \" $i $i }}{{ end }}", "{\"$uint8\":2}"))
                .isEqualTo("0uint8 1uint8 ");
        assertThat(Go.render("{{ range -1 }}x{{ else }}none{{ end }}")).isEqualTo("none");
        assertThat(Go.error("{{ range $i, $e := 2 }}{{ end }}"))
                .isEqualTo(
                        "template: t:1:19: executing \"t\" at <2>: can't use a number to iterate over more than one variable");
    }

    @Test
    void refusesToRangeOverWhatIsNoCollection() {
        assertThat(Go.error("{{ range . }}{{ end }}", "\"é\""))
                .isEqualTo("template: t:1:9: executing \"t\" at <.>: range can't iterate over a value of type string");
        assertThat(Go.error("{{ range . }}{{ end }}", "{\"$nilptr\":\"map\"}"))
                .isEqualTo(
                        "template: t:1:9: executing \"t\" at <.>: range can't iterate over a value of type *map[string]interface {}");
    }

    @Test
    void breaksAndContinuesFromWithin() {
        assertThat(Go.render(
                        "{{ range . }}{{ if eq . 2.0 }}{{ continue }}{{ end }}{{ with 1 }}{{ if eq $ nil }}{{ end }}{{ end }}"
                                + "{{ if eq . 4.0 }}{{ break }}{{ end }}{{ . }}{{ end }}!",
                        "[1,2,3,4,5]"))
                .isEqualTo("13!");
        assertThat(Go.error("{{ range . }}{{ else }}{{ break }}{{ end }}"))
                .isEqualTo("template: t:1: {{break}} outside {{range}}");
    }

    @Test
    void aBreakInAnElseBranchEndsOnlyTheRangeOfThatElse() {
        assertThat(Go.render("{{ range 2 }}{{ range 0 }}{{ else }}a{{ break }}b{{ end }}{{ . }} {{ end }}"))
                .isEqualTo("a0 a1 ");
        assertThat(Go.render("{{ range 2 }}{{ range 0 }}{{ else }}a{{ continue }}b{{ end }}{{ . }} {{ end }}"))
                .isEqualTo("aa");
    }

    @Test
    void aFunctionNamedBreakTakesTheKeywordsPlace() throws Exception {
        GoFunction list = Objects.requireNonNull(Go.FUNCTIONS.get("list"));
        FunctionRegistry functions = Go.functions().add("break", list).build();

        String output = GoTemplate.parse("t", "{{ break 1 }}", functions)
                .execute(Go.data("null"), Go.environment(RenderLimits.DEFAULT));

        assertThat(output).isEqualTo("[1]");
    }
}
