package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import org.junit.jupiter.api.Test;

/** What reaches the screen. */
final class TerminalTest {
    private static final String HOSTILE = "a\u001b]0;t\u0007b\r\n\tc\u009bd\u202ee \ud83d\ude00";
    private static final String ESCAPED = "a\\u001b]0;t\\u0007b \n\tc\\u009bd\\u202ee \ud83d\ude00";

    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();
    private final Terminal terminal =
            new Terminal(new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8));

    @Test
    void printedTextIsEscapedInEveryWay() {
        terminal.out().print(HOSTILE);
        terminal.out().println(HOSTILE);
        terminal.out().println((Object) HOSTILE);
        terminal.out().append(HOSTILE);
        terminal.out().printf("%s", HOSTILE);
        terminal.err().println(HOSTILE);

        assertThat(out.toString(UTF_8)).isEqualTo(ESCAPED + ESCAPED + "\n" + ESCAPED + "\n" + ESCAPED + ESCAPED);
        assertThat(err.toString(UTF_8)).isEqualTo(ESCAPED + "\n");
    }

    @Test
    void bytesAreWrittenUnchanged() {
        terminal.out().writeBytes(HOSTILE.getBytes(UTF_8));

        assertThat(out.toString(UTF_8)).isEqualTo(HOSTILE);
    }
}
