package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.deploy.fleet.FleetOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

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

        int exitCode = HubCommand.run(new Terminal(full, new PrintStream(err, true, UTF_8)), "--version");

        assertThat(exitCode).isEqualTo(ExitCode.OUTPUT_FAILED);
        assertThat(err.toString(UTF_8)).isEqualTo("hub: could not write the complete result to standard output\n");
    }

    @Test
    void endsQuietlyWhenTheReaderOfItsOutputEnds() {
        OutputStream closed = new OutputStream() {
            @Override
            public void write(int b) throws IOException {
                throw new IOException("Broken pipe");
            }
        };
        ByteArrayOutputStream err = new ByteArrayOutputStream();

        int exitCode = HubCommand.run(
                new Terminal(new Terminal.Output(closed), new PrintStream(err, true, UTF_8)), "--version");

        assertThat(exitCode).isEqualTo(ExitCode.OUTPUT_CLOSED);
        assertThat(err.toString(UTF_8)).isEmpty();
    }

    @Test
    void aVerbHasTheNameOfItsCommand() {
        CommandLine all = HubCommand.commandLine(new Terminal(System.out, System.err));

        assertThat(all.getSubcommands())
                .allSatisfy((name, command) ->
                        assertThat(command.getCommandSpec().names()).contains(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"warm-up", "warm-up --read-only"})
    void theTrainingRunOfTheAotCacheSucceedsWithoutOutput(String arguments) {
        CommandRun run = CommandRun.of(arguments.split(" "));

        assertThat(run.exitCode()).as("rendering, or reading from a server").isZero();
        assertThat(run.out()).isEmpty();
    }

    /** A verb of the fleet with a fault in it. */
    @CommandLine.Command(name = "broken")
    static final class Broken implements Callable<Integer> {
        @CommandLine.Mixin
        private final FleetOptions options = new FleetOptions();

        @Override
        public Integer call() {
            assertThat(options.quiet()).isFalse();
            throw new IllegalStateException("token=secret");
        }
    }

    @Test
    void anInternalErrorHasAnIdAndItsPlaceOnlyWhenThatIsWanted() {
        for (List<String> flags : List.of(List.<String>of(), List.of("-v"), List.of("-v", "-v"), List.of("-vv"))) {
            ByteArrayOutputStream err = new ByteArrayOutputStream();
            Terminal terminal = new Terminal(
                    new PrintStream(OutputStream.nullOutputStream(), true, UTF_8), new PrintStream(err, true, UTF_8));
            List<String> arguments = new ArrayList<>(List.of("broken"));
            arguments.addAll(flags);

            int exit = HubCommand.commandLine(terminal)
                    .addSubcommand(new Broken())
                    .execute(arguments.toArray(String[]::new));

            String said = err.toString(UTF_8);
            boolean place = String.join("", flags).replace("-", "").length() == 2;
            assertThat(exit).isEqualTo(ExitCode.INTERNAL_ERROR);
            assertThat(said).matches("(?s)hub: internal error [0-9a-f]{8}; .*").doesNotContain("secret");
            assertThat(said.contains("at io.osmhub.")).as("%s: %s", flags, said).isEqualTo(place);
        }
    }
}
