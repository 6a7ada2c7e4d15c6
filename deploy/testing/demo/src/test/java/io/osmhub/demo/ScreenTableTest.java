package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.osmhub.demo.ScreenTable.DisplayWidth;
import io.osmhub.demo.ScreenTable.ScreenCell;
import io.osmhub.demo.ScreenTable.ScreenColumn;
import io.osmhub.demo.ScreenTable.ScreenStyle;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ScreenTableTest {
    private final ScreenTable table = new ScreenTable(List.of(
            ScreenColumn.text("TENANT"),
            ScreenColumn.number("MDS"),
            ScreenColumn.text("STATE"),
            ScreenColumn.text("LAST CHANGE")));

    @Test
    void putsTextsLeftAndNumbersRightTwoBlanksApart() {
        row("amber", "3", "Synced", "workers-c created");
        row("a-longer-tenant", "1200", "Connecting", "");

        assertThat(table.lines(0, false))
                .containsExactly(
                        "TENANT            MDS  STATE       LAST CHANGE",
                        "amber               3  Synced      workers-c created",
                        "a-longer-tenant  1200  Connecting");
    }

    @Test
    void cutsTheRightMostTextFirst() {
        row("amber", "3", "Synced", "workers-c created");

        assertThat(table.lines(32, false))
                .containsExactly("TENANT  MDS  STATE   LAST CHANGE", "amber     3  Synced  workers-c …");
    }

    @Test
    void keepsEveryLineWithinTheTerminalHoweverNarrowItIs() {
        row("a-tenant-with-a-long-租户-name", "123456789", "Unreachable", "workers-c created");

        for (int width = 1; width < 80; width++) {
            int limit = width;
            assertThat(table.lines(width, false))
                    .as("width %d", width)
                    .allMatch(line -> DisplayWidth.of(line) <= limit);
        }
    }

    @Test
    void drawsNothingButTheTextOfAHostileName() {
        row("\u001b[2J\u202eevil\r\n\u0007", "1", "Synced", "");

        List<String> lines = table.lines(0, true);

        assertThat(lines).hasSize(2);
        assertThat(lines.get(1))
                .startsWith("\\u001b[2J\\u202eevil")
                .doesNotContain("\u001b", "\u202e", "\r", "\n", "\u0007");
    }

    @Test
    void countsWideCharactersTwiceAndCombiningOnesNot() {
        row("租户", "1", "Synced", "");
        row("e\u0301tude", "2", "Synced", "");

        assertThat(table.lines(0, false))
                .containsExactly("TENANT  MDS  STATE   LAST CHANGE", "租户      1  Synced", "e\u0301tude     2  Synced");
    }

    @Test
    void coloursDoNotMoveColumns() {
        table.add(List.of(
                ScreenCell.of("amber"),
                ScreenCell.of("3"),
                new ScreenCell("Synced", ScreenStyle.GOOD),
                new ScreenCell("now", ScreenStyle.FAINT)));

        String line = table.lines(0, true).get(1);

        assertThat(line).contains("\u001b[32mSynced\u001b[0m  \u001b[2mnow\u001b[0m");
        assertThat(line.replaceAll("\u001b\\[[0-9;]*m", ""))
                .isEqualTo(table.lines(0, false).get(1));
    }

    @Test
    void refusesARowOfAnotherLength() {
        assertThatThrownBy(() -> table.add(List.of(ScreenCell.of("alone"))))
                .isInstanceOf(IllegalArgumentException.class);
    }

    private void row(String... texts) {
        table.add(List.of(texts).stream().map(ScreenCell::of).toList());
    }
}
