package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class DisplayBenchTest {
    @Test
    void aRowIsMetUpToItsTarget() {
        DisplayBench.Row met = row(3000);
        DisplayBench.Row missed = row(3001);

        assertThat(met.isMet()).isTrue();
        assertThat(met.formatLine().split(" {2,}"))
                .containsExactly("PAUSED", "2", "20 ms", "3000 ms", "3000 ms", "at most", "3000 ms", "met");
        assertThat(missed.isMet()).isFalse();
        assertThat(missed.formatLine()).endsWith("MISSED");
    }

    private static DisplayBench.Row row(int slowest) {
        return new DisplayBench.Row(
                "PAUSED", Percentiles.of(List.of(Duration.ofMillis(20), Duration.ofMillis(slowest))), 3000);
    }
}
