package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What holds for the command line as a whole. */
final class HubCommandTest {
    @Test
    void aloneListsTheVerbs() {
        CommandRun run = CommandRun.of();

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains("Verbs:", "  render ", "  explain ", "  completion ")
                .doesNotContain("warm-up");
    }

    @Test
    void suggestsTheVerbThatWasMeant() {
        CommandRun run = CommandRun.of("rendr");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err()).isEqualTo("hub: unknown verb or argument rendr; did you mean render?\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"bash", "zsh", "fish"})
    void completesVerbsAndOptionsInEveryShell(String shell) {
        CommandRun run = CommandRun.of("completion", shell);

        assertThat(run.exitCode()).isZero();
        assertThat(run.out()).contains("render", "machine-deployment", "explain", "describe", "field-selector");
    }

    @ParameterizedTest
    @ValueSource(strings = {"render", "lint", "explain", "version", "completion", "get", "describe", "events", "diff"})
    void everyVerbExplainsItself(String verb) {
        for (CommandRun run : List.of(CommandRun.of(verb, "--help"), CommandRun.of("help", verb))) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).contains("Usage: hub " + verb);
            assertThat(run.err()).isEmpty();
        }
    }

    @Test
    void aResultThatCannotBeWrittenIsNoSuccess() {
        PrintStream full = new PrintStream(
                new OutputStream() {
                    @Override
                    public void write(int b) throws IOException {
                        throw new IOException("no space left");
                    }
                },
                true,
                UTF_8);
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int exitCode = HubCommand.run(new Terminal(full, new PrintStream(err, true, UTF_8)), "version");

        assertThat(exitCode).isEqualTo(ExitCode.OUTPUT_FAILED);
        assertThat(err.toString(UTF_8)).isEqualTo("hub: cannot write all of the result to the standard output\n");
    }

    @Test
    void theRunForTheStartUpCacheRendersTheExamples() {
        CommandRun run = CommandRun.of("warm-up");

        assertThat(run.exitCode()).as("the last rendering").isZero();
        assertThat(run.out()).isEmpty();
    }
}
