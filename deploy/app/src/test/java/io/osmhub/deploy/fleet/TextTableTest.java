package io.osmhub.deploy.fleet;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.deploy.fleet.TextTable.Cell;
import io.osmhub.deploy.fleet.TextTable.Column;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

class TextTableTest {
    private static final TextTable TABLE = new TextTable(
                    List.of(Column.text("NAME"), Column.number("MDS"), Column.text("MESSAGE")))
            .add(List.of(Cell.of("lab"), Cell.of("3"), new Cell("refused since yesterday", Tone.BAD)))
            .add(List.of(Cell.of("shop"), Cell.of("12"), Cell.of("")));

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
                        Spans.of(Duration.ofSeconds(45)),
                        Spans.of(Duration.ofMinutes(29)),
                        Spans.of(Duration.ofMinutes(81)),
                        Spans.of(Duration.ofHours(17)),
                        Spans.of(Duration.ofDays(41))))
                .containsExactly("45s", "29m", "1h21m", "17h", "41d");
        assertThat(Spans.until(Instant.EPOCH, Instant.now())).isEqualTo("ended");
    }
}
