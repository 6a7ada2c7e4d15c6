package io.osmhub.core.lint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** What bash writes, as findings. */
final class BashErrorParserTest {
    @Test
    void readsLineAndMessageAndLeavesOutTheRepeatedLine() {
        assertThat(ScriptChecker.parseBashErrors("""
                        /dev/stdin: line 12: syntax error near unexpected token `fi'
                        /dev/stdin: line 12: `fi'
                        """))
                .containsExactly(new ScriptChecker.ScriptError(12, "syntax error near unexpected token `fi'"));
    }

    @Test
    void pointsAtTheLineWhereAHeredocBegins() {
        assertThat(
                        ScriptChecker.parseBashErrors(
                                "/dev/stdin: line 40: warning: here-document at line 7 delimited by end-of-file (wanted `EOF')\n"))
                .containsExactly(new ScriptChecker.ScriptError(7, "unterminated here-document; expected EOF"));
    }

    @Test
    void findsNothingInNothing() {
        assertThat(ScriptChecker.parseBashErrors("")).isEmpty();
    }
}
