package io.osmhub.deploy.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.ScriptChecker.Dialect;
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
                .contains("here-document at line 2 delimited by end-of-file (wanted `EOF')");
    }

    @Test
    void namesTheLineOfASyntaxError() {
        assertThat(bash().check(Dialect.BASH, "echo\nfi\n"))
                .contains("line 2: syntax error")
                .doesNotContain("\n");
    }

    @Test
    void runsNothing() {
        String errors = bash().check(Dialect.BASH, "echo run >&2\nexit 3\necho \"$(echo run >&2)\"\n");

        assertThat(errors).isEmpty();
    }

    @Test
    void takesPatternsThatTheScriptTurnsOn() {
        assertThat(bash().check(Dialect.BASH, "shopt -s extglob\ncase $1 in @(a|b)) echo;; esac\n"))
                .isEmpty();
    }

    @Test
    void readsScriptsThatAreLongerThanAPipeHoldsAndEndEarly() {
        String longScript = "fi\n" + "# padding\n".repeat(50_000);

        assertThat(bash().check(Dialect.POSIX, longScript)).contains("syntax error");
        assertThat(bash().check(Dialect.POSIX, longScript.substring(3))).isEmpty();
    }

    @Test
    void isAbsentWithoutTheProgram() {
        assertThat(BashSyntaxChecker.find("no-such-shell-here")).isEmpty();
    }
}
