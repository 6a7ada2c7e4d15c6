package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class PercentilesTest {
    @Test
    void areValuesThatWereMeasured() {
        List<Duration> upTo200 = IntStream.rangeClosed(1, 200)
                .map(i -> 201 - i)
                .mapToObj(Duration::ofMillis)
                .toList();

        assertThat(Percentiles.of(upTo200)).isEqualTo(new Percentiles(200, 100, 180, 198, 200));
    }

    @Test
    void ofOneAreThatOne() {
        assertThat(Percentiles.of(List.of(Duration.ofMillis(7)))).isEqualTo(new Percentiles(1, 7, 7, 7, 7));
    }

    @Test
    void ofNoneAreZero() {
        assertThat(Percentiles.of(List.of())).isEqualTo(new Percentiles(0, 0, 0, 0, 0));
    }
}
