package io.osmhub.deploy.lint;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.lint.ScriptChecker.Dialect;
import io.osmhub.core.lint.ScriptChecker.Fault;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/** The machine's bash, asked for the syntax of scripts. */
final class BashSyntaxTest {
    private static BashSyntax bash() {
        Optional<BashSyntax> bash = BashSyntax.find();
        Assumptions.assumeTrue(bash.isPresent(), "there is no bash here to check scripts with");
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
                .containsExactly(new Fault(2, "no line ends this here-document; it wants EOF"));
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
        List<Fault> faults = bash().check(Dialect.BASH, "echo run >&2\nexit 3\necho \"$(echo run >&2)\"\n");

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
        assertThat(BashSyntax.find("no-such-shell-here")).isEmpty();
    }
}
