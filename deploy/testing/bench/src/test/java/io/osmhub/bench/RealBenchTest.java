package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.bench.RealBench.LimitedBurst;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class RealBenchTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            --clusters=0;   --clusters: expected 1 to 30, got 0
            --clusters=31;  --clusters: expected 1 to 30, got 31
            --mds=0;        --mds: expected 1 to 10000, got 0
            --burst=0;      --burst: expected 1 to 10000, got 0
            --singles=0;    --singles: expected 1 to 10000, got 0
            --idle=0;       --idle: expected 1 to 10000, got 0
            """)
    void anOptionOutOfRangeIsRejectedBeforeAnythingStarts(String option, String message) {
        StringWriter errors = new StringWriter();

        int code =
                new CommandLine(new RealBench()).setErr(new PrintWriter(errors)).execute(option);

        assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains(message);
    }

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
