package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.bench.RealBench.LimitedBurst;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

class RealBenchTest {
    @Test
    void aBurstWithFewSeatsMayTakeTenSeconds() {
        LimitedBurst met = burst(10);
        LimitedBurst missed = burst(10.1);

        assertThat(met.isMet()).isTrue();
        assertThat(met.formatLine()).contains("3 seats", "at most 10 s: met", "412 requests");
        assertThat(missed.isMet()).isFalse();
        assertThat(missed.formatLine()).contains("at most 10 s: MISSED");
    }

    private static LimitedBurst burst(double seconds) {
        Percentiles latency = Percentiles.of(List.of(Duration.ofSeconds(2)));
        return new LimitedBurst(
                3, 412, new FleetResult.Burst(200, latency, seconds), new FleetResult.Burst(200, latency, 2.5));
    }
}
