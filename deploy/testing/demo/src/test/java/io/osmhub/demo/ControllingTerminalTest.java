package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class ControllingTerminalTest {
    @Test
    void readsRowsBeforeColumns() {
        assertThat(ControllingTerminal.parseSize("50 132\n")).isEqualTo(new DemoScreen.ScreenSize(132, 50));
    }

    @Test
    void takesTheUsualSizeWhereTheTerminalDoesNotKnowItsOwn() {
        assertThat(ControllingTerminal.parseSize("0 0\n")).isEqualTo(new DemoScreen.ScreenSize(80, 24));
        assertThat(ControllingTerminal.parseSize("")).isEqualTo(new DemoScreen.ScreenSize(80, 24));
        assertThat(ControllingTerminal.parseSize("a b")).isEqualTo(new DemoScreen.ScreenSize(80, 24));
    }

    @Test
    void usesColoursUnlessAskedNotTo() {
        assertThat(ControllingTerminal.wantsColour(Map.of())).isTrue();
        assertThat(ControllingTerminal.wantsColour(Map.of("NO_COLOR", ""))).isTrue();
        assertThat(ControllingTerminal.wantsColour(Map.of("NO_COLOR", "1"))).isFalse();
    }

    @Test
    void doesNotDrawOnATerminalThatCannotMoveItsCursor() {
        assertThat(ControllingTerminal.showsOutput(Map.of("TERM", "dumb"))).isFalse();
        assertThat(ControllingTerminal.showsOutput(Map.of())).isFalse();
    }
}
