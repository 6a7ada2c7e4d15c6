package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;

final class LiveScreenTest {
    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private final LiveScreen screen = new LiveScreen(
            new PrintStream(written, true, StandardCharsets.UTF_8), () -> new DemoScreen.ScreenSize(80, 24), true);

    @Test
    void drawsANewStateOverTheOldOne() {
        screen.showState(List.of("one", "two"));
        written.reset();

        screen.showState(List.of("three"));

        assertThat(output()).isEqualTo("\u001b[?25l\u001b[2Fthree\u001b[K\n\u001b[J");
    }

    @Test
    void saysThingsAboveTheStateAndDrawsItAgain() {
        screen.showState(List.of("state"));
        written.reset();

        screen.printLine("news");

        assertThat(output()).isEqualTo("\u001b[?25l\u001b[1Fnews\u001b[K\nstate\u001b[K\n\u001b[J");
    }

    @Test
    void writesNothingForAStateThatIsAlreadyThere() {
        screen.showState(List.of("state"));
        written.reset();

        screen.showState(List.of("state"));

        assertThat(output()).isEmpty();
    }

    @Test
    void showsTheCursorAgainAtTheEndAndKeepsIt() {
        screen.showState(List.of("state"));
        screen.close();
        written.reset();

        screen.printLine("the end");

        assertThat(output()).doesNotContain("\u001b[?25l");
    }

    private String output() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
