package io.osmhub.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import picocli.CommandLine;

class FleetBenchTest {
    @ParameterizedTest
    @CsvSource(delimiter = ';', textBlock = """
            --clusters=10001;              --clusters: expected 1 to 10000, got 10001
            --real --clusters=31;          --clusters: expected 1 to 30, got 31
            --fault=all --clusters=2;      --clusters: expected 3 to 1000, got 2
            --fault=nothing;               --fault: unknown fault nothing, expected all or one of black-holes
            --fault=all --real;            --real and --fault exclude each other
            --fault=all --burst=3;         --burst has no effect with --fault
            --real --seats=3;              --seats has no effect with --real
            --seconds=3;                   --seconds requires --fault
            --mode=SINGLE --real;          --mode excludes --real and --fault
            --mode=SINGLE --clusters=3;    --clusters has no effect with --mode
            --real --rotate;               --rotate excludes --mode, --real and --fault
            --program=bin/hub;             --program requires --mode
            --mds=0;        --mds: expected 1 to 10000, got 0
            --burst=0;      --burst: expected 1 to 10000, got 0
            --singles=0;    --singles: expected 1 to 10000, got 0
            --idle=0;       --idle: expected 1 to 10000, got 0
            """)
    void anInvalidOptionIsRejectedBeforeAnythingStarts(String options, String message) {
        StringWriter errors = new StringWriter();

        int code = new CommandLine(new FleetBench())
                .setErr(new PrintWriter(errors))
                .execute(options.split(" "));

        assertThat(code).isEqualTo(CommandLine.ExitCode.USAGE);
        assertThat(errors.toString()).contains(message);
    }
}
