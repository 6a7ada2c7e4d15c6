package io.osmhub.api.console;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.ops.FleetStatistics;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class ChartsTest {
    private static final Instant NOW = Instant.parse("2026-11-21T10:40:00Z");

    private final FleetStatistics figures = new FleetStatistics();
    private final LiveCells cells = new LiveCells();

    private String height(String key) {
        return cells.get(key) instanceof LiveCell.ShapeCell(Map<String, String> attributes)
                ? attributes.getOrDefault("height", "")
                : "no bar";
    }

    private String words(String key) {
        return cells.get(key) instanceof LiveCell.LabelCell(String text) ? text : "no text";
    }

    @Test
    void theTallestBarIsWhatHappensMostAndWhatIsThereAtAllIsSeen() {
        for (int at = 0; at < 100; at++) {
            figures.recordPublish(Duration.ofMillis(40));
        }
        figures.recordPublish(Duration.ofMillis(5));

        Charts.of(figures, List.of(), 500, NOW, cells);

        assertThat(height("latency/1")).isEqualTo("52.00");
        assertThat(height("latency/0")).isEqualTo("2.00");
        assertThat(height("latency/2")).isEqualTo("0.00");
        assertThat(words("latency/read")).startsWith("101 publishes, half within");
        assertThat(words("latency/n/1")).isEqualTo("100");
        assertThat(words("latency/top")).as("what the tallest bar stands for").isEqualTo("100 publishes");
    }

    @Test
    void aQuietHourSaysSo() {
        Charts.of(figures, List.of(), 500, NOW, cells);

        assertThat(words("latency/read")).isEqualTo("no publish in the last hour");
        assertThat(words("queue/read")).isEqualTo("now 0, oldest 0 ms, most 0");
        assertThat(words("latency/top")).as("without a bar no scale").isEmpty();
    }

    @Test
    void tokensBelowTheFloorAreCountedApart() {
        List<Instant> ends = List.of(
                NOW.minusSeconds(60),
                NOW.plusSeconds(300),
                NOW.plusSeconds(900),
                NOW.plusSeconds(1_300),
                NOW.plusSeconds(7_000));

        Charts.of(figures, ends, 5, NOW, cells);
        assertThat(words("tokens/read")).isEqualTo("3 of the 5 that expire first below 20 min");

        Charts.of(figures, ends, 500, NOW, cells);
        assertThat(words("tokens/read")).isEqualTo("3 of 5 tokens below 20 min");
        assertThat(List.of(height("tokens/0"), height("tokens/1"), height("tokens/2"), height("tokens/3")))
                .containsOnly("52.00");
        assertThat(height("tokens/4")).isEqualTo("0.00");
        assertThat(height("tokens/7")).isEqualTo("52.00");
    }
}
