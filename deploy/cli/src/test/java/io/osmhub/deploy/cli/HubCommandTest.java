package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.deploy.fleet.FleetOptions;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;

/** What holds for the command line as a whole. */
final class HubCommandTest {
    private static final Path EXAMPLES = Path.of(System.getProperty("osmhub.root", "../.."), "docs", "examples");

    @Test
    void aloneListsTheVerbs() {
        CommandRun run = CommandRun.of();

        assertThat(run.exitCode()).isZero();
        assertThat(run.out())
                .contains(
                        "Verbs:",
                        "  render ",
                        "  get ",
                        "  completion ",
                        "started by hub run, hub controller and hub webhook")
                .doesNotContain("warm-up", "  run ", "  controller ", "  webhook ");
    }

    @Test
    void suggestsTheVerbThatWasMeant() {
        CommandRun run = CommandRun.of("rendr");

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.err()).isEqualTo("hub: unknown verb or argument rendr; did you mean render?\n");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "describe md x -n a | hub describe was removed; use hub why",
                "help describe | hub describe was removed; use hub why",
                "wait wc/b/w --for=condition=Ready | hub wait was removed; use kubectl wait",
                "events -A -f | hub events was removed; use kubectl events",
                "explain reason X | hub explain was removed; see docs/reference",
                "cluster list -A | hub cluster list was removed; use hub get clusters",
                "cluster get w -n a | hub cluster get was removed; use hub get cluster NAME",
                "get mds --field-selector=a=b | --field-selector was removed; use -o json | jq",
                "get mds --search x | --search was removed; use -o json | jq",
                "get mds --sort -name | --sort was removed; use -o json | jq",
                "get mds --sort-by .metadata | --sort-by was removed; use -o json | jq",
                "get mds --limit 3 | --limit was removed; use -o json | jq",
                "get mds --show-labels | --show-labels was removed; use -o json | jq, or kubectl get",
                "get mds --utc | --utc was removed; tables show ages",
                "get mds -o jsonpath={.a} | -o jsonpath was removed; use -o json | jq",
                "why md x -o custom-columns=A:.b | -o custom-columns was removed; use -o json | jq",
            })
    void whatWasRemovedNamesItsReplacementInOneLine(String line) {
        int bar = line.indexOf('|');
        CommandRun run = CommandRun.of(line.substring(0, bar).strip().split(" "));

        assertThat(run.exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
        assertThat(run.out()).isEmpty();
        assertThat(run.err())
                .startsWith("hub: " + line.substring(bar + 1).strip())
                .hasLineCount(1);
    }

    @Test
    void completionIsAScriptOfAllVerbsAndOptions() {
        CommandRun bash = CommandRun.of("completion", "bash");

        assertThat(bash.out()).contains("migrate", "--management-kubeconfig").doesNotContain("warm-up");
        assertThat(CommandRun.of("completion", "zsh")).isEqualTo(bash);
        assertThat(CommandRun.of("completion", "fish").exitCode()).isEqualTo(ExitCode.UNUSABLE_INPUT);
    }

    @ParameterizedTest
    @ValueSource(strings = {"render", "lint", "version", "completion", "get", "diff", "run"})
    void everyVerbExplainsItself(String verb) {
        for (CommandRun run : List.of(CommandRun.of(verb, "--help"), CommandRun.of("help", verb))) {
            assertThat(run.exitCode()).isZero();
            assertThat(run.out()).contains("Usage: hub " + verb);
            assertThat(run.err()).isEmpty();
        }
    }

    @Test
    void everyVerbWithOptionsOfAConnectionConnectsOrRejectsThem() {
        List<String> neither = new ArrayList<>();
        addUnruled(HubCommand.commandLine(new Terminal(System.out, System.err)), neither);

        assertThat(neither).isEmpty();
    }

    private static void addUnruled(CommandLine command, List<String> neither) {
        Object verb = command.getCommandSpec().userObject();
        boolean hasOptions = command.getCommandSpec().mixins().values().stream()
                .anyMatch(mixin -> mixin.userObject() instanceof FleetOptions);
        boolean always = verb instanceof FleetCommand<?> || verb instanceof DoctorCommand;
        if (hasOptions && !always && !(verb instanceof OptionalConnection)) {
            neither.add(command.getCommandSpec().qualifiedName());
        }
        command.getSubcommands().values().forEach(each -> addUnruled(each, neither));
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

    @ParameterizedTest
    @ValueSource(strings = {"a: 1\nb:\n  c: [x\n  d: y\n", "a: 1\nb: \"open\nc: d\n", "a:\n\tb: c\n"})
    void theSameMistakeHasTheSamePositionInEveryVerb(String text, @TempDir Path folder) throws IOException {
        String file = Files.writeString(folder.resolve("mistake.yaml"), text).toString();
        String position = CommandRun.of("lint", file).out().replaceFirst("(?s): error: .*", "");
        assertThat(position).matches(Pattern.quote(file) + ":[1-9]:[1-9]");

        String osp = EXAMPLES.resolve("osp.yaml").toString();
        String md = EXAMPLES.resolve("machinedeployment.yaml").toString();
        for (List<String> command : List.of(
                List.of("render", "--osp", file, "-m", md),
                List.of("render", "--osp", osp, "-m", file),
                List.of("render", "--osp", osp, "-m", md, "--settings", file),
                List.of("render", "--osp", osp, "-m", md, "--objects", file),
                List.of("render", "--osp", osp, "-m", md, "--cluster-info", file),
                List.of("airgap", "list", "--osp", file),
                List.of("lint", osp, "--air-gapped", "--settings", file),
                List.of("config", "from-kkp", file),
                List.of("config", "check", "--config", file),
                List.of("diff", "-n", "a", "-f", file, "--server", "http://127.0.0.1:1"),
                List.of("cluster", "add", "x", "-n", "a", "--kubeconfig", file, "--server", "http://127.0.0.1:1"))) {
            CommandRun run = CommandRun.of(command.toArray(String[]::new));

            assertThat(run.exitCode()).as("%s", command).isEqualTo(ExitCode.UNUSABLE_INPUT);
            assertThat(run.err()).as("%s", command).contains(position + " ");
        }
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
        private final FleetOptions options = new FleetOptions.ManagementOptions();

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
