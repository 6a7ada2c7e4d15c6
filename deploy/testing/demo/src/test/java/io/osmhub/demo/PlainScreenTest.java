package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

final class PlainScreenTest {
    private static final Instant START = Instant.parse("2026-01-01T00:00:00Z");

    private final ByteArrayOutputStream written = new ByteArrayOutputStream();
    private Instant now = START;
    private final PlainScreen screen =
            new PlainScreen(new PrintStream(written, true, StandardCharsets.UTF_8), () -> now);

    @Test
    void repeatsAStateOnlyWhenItHasChangedAndAWhileHasPassed() {
        screen.showState(List.of("a"));
        screen.showState(List.of("b"));
        now = START.plusSeconds(5);
        screen.showState(List.of("a"));

        assertThat(output()).isEqualTo("\na\n");

        screen.showState(List.of("c"));
        screen.showState(List.of("d"));

        assertThat(output()).isEqualTo("\na\n\nc\n");
    }

    @Test
    void saysEverythingAtOnceAndUsesNoColour() {
        screen.printLine("first");
        screen.printLine("second");

        assertThat(output()).isEqualTo("first\nsecond\n");
        assertThat(screen.colour()).isFalse();
    }

    private String output() {
        return written.toString(StandardCharsets.UTF_8);
    }
}
