package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class DemoTest {
    private final ByteArrayOutputStream printed = new ByteArrayOutputStream();

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "--clusters=0      | --clusters: 0 is not between 1 and 500",
                "--clusters=501    | --clusters: 501 is not between 1 and 500",
                "--clusters=three  | 'three' is not an int",
                "--timeout=soon    | --timeout: \"soon\" is not a valid duration; write for example 90s or 2m",
                "--timeout=0s      | --timeout: \"0s\" is not a valid duration",
                "--port=65534      | --port: 65534: expected room for 3 more ports below 65536",
                "--ones            | Unknown option: '--ones'",
            })
    void saysInOneLineWhatIsWrongWithAnOptionAndStartsNothing(String argument, String message) {
        int exitCode = Demo.run(new PrintStream(printed, true, StandardCharsets.UTF_8), argument);

        assertThat(exitCode).isEqualTo(2);
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .startsWith("hub: demo: ")
                .contains(message)
                .endsWith("; list the options with ./hub demo --help\n");
    }
}
