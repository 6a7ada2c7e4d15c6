package io.osmhub.demo.screen;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import org.junit.jupiter.api.Test;

final class ControllingTerminalTest {
    @Test
    void readsRowsBeforeColumns() {
        assertThat(ControllingTerminal.sizeFrom("50 132\n")).isEqualTo(new Screen.Size(132, 50));
    }

    @Test
    void takesTheUsualSizeWhereTheTerminalDoesNotKnowItsOwn() {
        assertThat(ControllingTerminal.sizeFrom("0 0\n")).isEqualTo(new Screen.Size(80, 24));
        assertThat(ControllingTerminal.sizeFrom("")).isEqualTo(new Screen.Size(80, 24));
        assertThat(ControllingTerminal.sizeFrom("a b")).isEqualTo(new Screen.Size(80, 24));
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
