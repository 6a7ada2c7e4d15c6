package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.fleet.TextTable.TextTableCell;
import io.osmhub.deploy.fleet.TextTable.TextTableColumn;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    private static final TextTable TABLE = new TextTable(List.of(
                    TextTableColumn.text("NAME"), TextTableColumn.number("MDS"), TextTableColumn.text("MESSAGE")))
            .add(List.of(
                    TextTableCell.of("lab"),
                    TextTableCell.of("3"),
                    new TextTableCell("refused since yesterday", CellStyle.BAD)))
            .add(List.of(TextTableCell.of("shop"), TextTableCell.of("12"), TextTableCell.of("")));

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
        assertThat(HumanDuration.until(Instant.EPOCH, Instant.now())).isEqualTo("ended");
    }
}
