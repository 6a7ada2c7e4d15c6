package io.osmhub.sim;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class SimulatorTest {
    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
            --clusters=many | sim: Invalid value for option '--clusters': 'many' is not an int
            --clutsers      | sim: Unknown option: '--clutsers'
            --clusters=-1   | sim: expected numbers of at least 0
            """)
    void anInvalidOptionIsNamed(String option, String message) {
        StringWriter errors = new StringWriter();

        int code = Simulator.commandLine().setErr(new PrintWriter(errors, true)).execute(option);

        assertThat(code).isEqualTo(2);
        assertThat(errors.toString().lines()).containsExactly(message.replace("''", "'"));
    }
}
