package io.osmhub.deploy.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.ScriptChecker.Dialect;
import io.osmhub.core.lint.ScriptChecker.ScriptError;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The machine's bash, asked for the syntax of scripts. */
final class BashSyntaxCheckerTest {
    private static BashSyntaxChecker bash() {
        Optional<BashSyntaxChecker> bash = BashSyntaxChecker.find();
        Assumptions.assumeTrue(bash.isPresent(), "bash not found");
        return bash.orElseThrow();
    }

    @Test
    void findsNothingInARightScript() {
        assertThat(bash().check(Dialect.BASH, "#!/bin/bash\ncat <<EOF\n$(\nEOF\nif true; then echo \"a\nb\"; fi\n"))
                .isEmpty();
    }

    @Test
    void findsAHeredocWithoutAnEnd() {
        assertThat(bash().check(Dialect.BASH, "#!/bin/bash\ncat <<EOF\na\n"))
                .containsExactly(new ScriptError(2, "unterminated here-document; expected EOF"));
    }

    @Test
    void namesTheLineOfASyntaxError() {
        assertThat(bash().check(Dialect.BASH, "echo\nfi\n")).singleElement().satisfies(fault -> {
            assertThat(fault.line()).isEqualTo(2);
            assertThat(fault.message()).contains("syntax error");
        });
    }

    @Test
    void runsNothing() {
        List<ScriptError> faults = bash().check(Dialect.BASH, "echo run >&2\nexit 3\necho \"$(echo run >&2)\"\n");

        assertThat(faults).isEmpty();
    }

    @Test
    void takesPatternsThatTheScriptTurnsOn() {
        assertThat(bash().check(Dialect.BASH, "shopt -s extglob\ncase $1 in @(a|b)) echo;; esac\n"))
                .isEmpty();
    }

    @Test
    void readsScriptsThatAreLongerThanAPipeHoldsAndEndEarly() {
        String longScript = "fi\n" + "# padding\n".repeat(50_000);

        assertThat(bash().check(Dialect.POSIX, longScript)).hasSize(1);
        assertThat(bash().check(Dialect.POSIX, longScript.substring(3))).isEmpty();
    }

    @Test
    void isAbsentWithoutTheProgram() {
        assertThat(BashSyntaxChecker.find("no-such-shell-here")).isEmpty();
    }
}
