package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    private record Row(String name, String count, TextTableCell message) {}

    private static final TextTable<Row> TABLE = new TextTable<>(List.of(
                    new Row("lab", "3", new TextTableCell("refused since yesterday", CellStyle.BAD)),
                    new Row("shop", "12", TextTableCell.of(null))))
            .text("NAME", Row::name)
            .number("MDS", Row::count)
            .cell("MESSAGE", Row::message);

    @Test
    void hasColumnsTwoBlanksApartAndNumbersToTheRight() {
        assertThat(TABLE.lines(true, false, 0))
                .containsExactly("NAME  MDS  MESSAGE", "lab     3  refused since yesterday", "shop   12");
    }

    @Test
    void isCutAtTheRightmostTextOnATerminal() {
        assertThat(TABLE.lines(true, false, 24))
                .containsExactly("NAME  MDS  MESSAGE", "lab     3  refused sinc…", "shop   12");
    }

    @Test
    void keepsEveryLineWithinTheTerminalHoweverNarrowItIs() {
        TextTable<String> table = new TextTable<>(List.of("a-tenant-with-a-long-租户-name"))
                .text("TENANT", name -> name)
                .number("MDS", name -> "123456789")
                .text("LAST CHANGE", name -> "workers-c created");

        for (int width = 1; width < 80; width++) {
            int limit = width;
            assertThat(table.lines(true, false, width))
                    .as("width %d", width)
                    .allMatch(line -> DisplayWidth.of(line) <= limit);
        }
    }

    @Test
    void countsWideCharactersTwiceAndCombiningOnesNot() {
        TextTable<String> table = new TextTable<>(List.of("租户", "e\u0301tude"))
                .text("TENANT", name -> name)
                .text("STATE", name -> "Synced");

        assertThat(table.lines(true, false, 0))
                .containsExactly("TENANT  STATE", "租户    Synced", "e\u0301tude   Synced");
    }

    @Test
    void printsNothingButTheTextOfAHostileName() {
        TextTable<String> table =
                new TextTable<>(List.of("\u001b[2J\u202eevil\r\n\u0007")).text("TENANT", name -> name);

        List<String> lines = table.lines(true, true, 0);

        assertThat(lines).hasSize(2);
        assertThat(lines.get(1))
                .startsWith("\\u001b[2J\\u202eevil")
                .doesNotContain("\u001b", "\u202e", "\r", "\n", "\u0007");
    }

    @Test
    void mayHaveColoursAndNoTitles() {
        assertThat(TABLE.lines(false, true, 0).getFirst())
                .isEqualTo("lab    3  \u001b[31mrefused since yesterday\u001b[0m");
    }

    @Test
    void writesTimesInOneUnitOrTwo() {
        assertThat(List.of(
                        HumanDuration.of(Duration.ofSeconds(45)),
                        HumanDuration.of(Duration.ofMinutes(29)),
                        HumanDuration.of(Duration.ofMinutes(81)),
                        HumanDuration.of(Duration.ofHours(17)),
                        HumanDuration.of(Duration.ofDays(41))))
                .containsExactly("45s", "29m", "1h21m", "17h", "41d");
        assertThat(HumanDuration.until(Instant.EPOCH, Instant.now())).isEqualTo("expired");
    }
}
