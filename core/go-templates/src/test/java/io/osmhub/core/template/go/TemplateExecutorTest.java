package io.osmhub.core.template.go;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.template.Sandbox.RenderLimits;
import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import java.time.Duration;
import org.junit.jupiter.api.Test;

class TemplateExecutorTest {
    private static final RenderLimits NARROW = new RenderLimits(100, 1_000, 50, Duration.ofSeconds(1));

    @Test
    void aPipelinePassesItsValueAsLastArgument() {
        assertThat(Go.render("{{ 2 | printf \"%d-%d\" 1 | upper | printf \"%q\" }}"))
                .isEqualTo("\"1-2\"");
    }

    @Test
    void anAbsentTemplateFailsWhenItIsCalled() {
        assertThat(Go.render("{{ if false }}{{ template \"a\" }}{{ end }}")).isEmpty();
        assertThat(Go.error("é{{ template \"a\" 1 }}"))
                .isEqualTo("template: t:1:14: executing \"t\" at <{{template \"a\" 1}}>: template \"a\" not defined");
    }

    @Test
    void messagesQuoteTheExpressionAsGoWritesIt() {
        assertThat(Go.error("{{  fail   (  print  `a`  \"b\"|print)  }}"))
                .isEqualTo(
                        "template: t:1:4: executing \"t\" at <fail (print `a` \"b\" | print)>: error calling fail: ab");
        assertThat(Go.error("\n {{ define \"d\" }}{{ fail \"x\" }}{{ end }}{{ template \"d\" }}"))
                .isEqualTo("template: t:2:20: executing \"d\" at <fail \"x\">: error calling fail: x");
    }

    @Test
    void failuresCarryThePlaceInCharacters() {
        TemplateException failure = Go.failure("a\né {{ fail \"x\" }}", "null");

        assertThat(failure.stage()).isEqualTo(Stage.EXECUTE);
        assertThat(failure.line()).isEqualTo(2);
        assertThat(failure.column()).isEqualTo(6);
        assertThat(failure.what()).isEqualTo("error calling fail: x");
        assertThat(failure.suggestion()).isNull();
    }

    @Test
    void countsArgumentsAsGo() {
        assertThat(Go.error("{{ upper }}"))
                .isEqualTo("template: t:1:3: executing \"t\" at <upper>: wrong number of args for upper: want 1 got 0");
        assertThat(Go.error("{{ 1 | printf }}"))
                .isEqualTo(
                        "template: t:1:7: executing \"t\" at <printf>: wrong type for value; expected string; got int");
    }

    @Test
    void endsAtTheLimitOfOutput() {
        TemplateException failure = Go.failure("{{ range 99 }}0123456789{{ end }}", "null", NARROW);

        assertThat(failure.stage()).isEqualTo(Stage.LIMIT);
        assertThat(failure.what()).isEqualTo("more than 100 bytes of output (limit render.outputLimit)");
        assertThat(failure).hasMessageStartingWith("template: t:1:9: executing \"t\" at <99>: more than");
    }

    @Test
    void endsAtTheLimitOfSteps() {
        assertThat(Go.failure("{{ range 9999999 }}{{ end }}", "null", NARROW).what())
                .startsWith("more than 1000 steps");
    }

    @Test
    void endsAtTheLimitOfDepth() {
        TemplateException failure =
                Go.failure("{{ define \"a\" }}{{ template \"a\" }}{{ end }}{{ template \"a\" }}", "null", NARROW);

        assertThat(failure.stage()).isEqualTo(Stage.LIMIT);
        assertThat(failure.what()).startsWith("more than 50 levels");
    }

    @Test
    void bearsDeepNestingWithinDeepCalls() {
        String nested = "{{ if true }}".repeat(250) + "{{ template \"a\" }}" + "{{ end }}".repeat(250);

        TemplateException failure = Go.failure(
                "{{ define \"a\" }}" + nested + "{{ end }}{{ template \"a\" }}",
                "null",
                new RenderLimits(1 << 20, 100_000_000, 100_000, Duration.ofSeconds(9)));

        assertThat(failure.stage()).isEqualTo(Stage.LIMIT);
    }
}
