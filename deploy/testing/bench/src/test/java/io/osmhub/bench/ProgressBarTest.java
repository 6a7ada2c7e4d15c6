package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;

class ProgressBarTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final PrintStream out = new PrintStream(written, true, StandardCharsets.UTF_8);

    @Test
    void isAsLongAsWhatIsDone() {
        assertThat(ProgressBar.line("publish", 1500, 3000, 2.4))
                .isEqualTo("publish                            [###############...............] 1,500 of 3,000  2 s");
        assertThat(ProgressBar.line("publish", 3000, 3000, 5)).contains("[##############################]");
        assertThat(ProgressBar.line("publish", 0, 0, 0)).contains("[..............................]");
    }

    @Test
    void saysInAFileOnlyWhenAStepBeginsAndEnds() {
        ProgressBar bar = new ProgressBar(out, false);
        bar.begin("publish");
        bar.update(1, 3);
        bar.update(3, 3);
        bar.end("3 published");

        assertThat(written.toString(StandardCharsets.UTF_8))
                .startsWith("publish ...\npublish ")
                .endsWith(" s  3 published\n")
                .doesNotContain("\r", "\u001b");
    }

    @Test
    void drawsOverItselfOnATerminal() {
        ProgressBar bar = new ProgressBar(out, true);
        bar.begin("publish");
        bar.update(1, 3);

        assertThat(written.toString(StandardCharsets.UTF_8))
                .startsWith("\rpublish ")
                .endsWith("\u001b[K");
    }
}
