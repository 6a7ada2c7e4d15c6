package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.cli.Terminal.Output;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.TlsSettings;
import java.io.PrintWriter;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root command. Without a verb, prints usage. */
@Command(
        name = "hub",
        description = "Operating System Manager for many tenants.",
        synopsisSubcommandLabel = "VERB",
        commandListHeading = "%nVerbs:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Use hub help VERB for details.",
            "Exit codes: 0 done, 1 found something, 2 unusable input, 3 not found, 4 not allowed, 5 not reachable,"
                    + " 6 conflict, 70 internal error, 74 output not written, 130 interrupted."
        },
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class)
public final class HubCommand extends CommandGroup {
    private static final List<Verb> VERBS = List.of(
            new Verb("run", RunCommand.class),
            new Verb("controller", ControllerCommand.class),
            new Verb("webhook", WebhookCommand.class),
            new Verb("render", RenderCommand.class),
            new Verb("explain", ExplainCommand.class),
            new Verb("lint", LintCommand.class),
            new Verb("airgap", AirGapCommand.class),
            new Verb("config", ConfigCommand.class),
            new Verb("cluster", ClusterCommand.class),
            new Verb("login", LoginCommand.class),
            new Verb("get", GetCommand.class),
            new Verb("describe", DescribeCommand.class),
            new Verb("why", WhyCommand.class),
            new Verb("wait", WaitCommand.class),
            new Verb("events", EventsCommand.class),
            new Verb("diff", DiffCommand.class),
            new Verb("install", InstallCommand.class),
            new Verb("migrate", MigrateCommand.class),
            new Verb("doctor", DoctorCommand.class),
            new Verb("version", VersionCommand.class),
            new Verb("completion", CompletionCommand.class),
            new Verb("help", CommandLine.HelpCommand.class),
            new Verb("warm-up", WarmUpCommand.class));

    /** Their AOT cache is that of {@code warm-up --read-only}; {@code bin/hub} has the same list. */
    static final Set<String> READ_ONLY_VERBS = Set.of(
            "get", "describe", "why", "wait", "events", "version", CommandCompletion.VERB, KubectlPlugin.PROGRAM);

    /** A verb and its command, which is only created for its own command line: reading its annotations takes time. */
    record Verb(String name, Class<?> command) {}

    private HubCommand() {}

    /** Runs a command line and returns the exit code. Does not throw. */
    public static int run(Terminal terminal, String... arguments) {
        List<String> all = List.of(arguments);
        if (!all.isEmpty() && READ_ONLY_VERBS.contains(all.getFirst())) {
            TlsSettings.applyInBackground();
        } else {
            TlsSettings.apply();
        }
        // OSM's flags use Go's syntax, which no other verb parses.
        int result =
                switch (all.isEmpty() ? "" : all.getFirst()) {
                    case "controller" -> ControllerCommand.run(terminal, all.subList(1, all.size()));
                    case KubectlPlugin.PROGRAM -> executePlugin(terminal, all.subList(1, all.size()));
                    case "webhook" -> WebhookCommand.run(terminal, all.subList(1, all.size()));
                    case CommandCompletion.VERB -> {
                        List<String> words = all.subList(1, all.size());
                        CommandLine hub = commandLine(new HubCommand(), verbs(VERBS, words), terminal);
                        yield CommandCompletion.run(terminal, hub, words);
                    }
                    default ->
                        commandLine(new HubCommand(), verbs(VERBS, all), terminal)
                                .execute(arguments);
                };
        if (terminal.out().checkError()) {
            if (terminal.out() instanceof Output output && output.isClosedByReader()) {
                return ExitCode.OUTPUT_CLOSED;
            }
            terminal.printRefusal("could not write the complete result to standard output");
            return ExitCode.OUTPUT_FAILED;
        }
        return result;
    }

    private static int executePlugin(Terminal terminal, List<String> arguments) {
        boolean completes = !arguments.isEmpty() && arguments.getFirst().equals(CommandCompletion.VERB);
        List<String> words = completes ? arguments.subList(1, arguments.size()) : arguments;
        CommandLine plugin = KubectlPlugin.prepareForKubectl(
                commandLine(new KubectlPlugin(), verbs(KubectlPlugin.verbs(VERBS), words), terminal));
        return completes
                ? CommandCompletion.run(terminal, plugin, words)
                : plugin.execute(words.toArray(String[]::new));
    }

    /** The verb of the command line; all if it has none or needs all. */
    private static List<Verb> verbs(List<Verb> all, List<String> arguments) {
        String name = arguments.isEmpty() ? "" : arguments.getFirst();
        List<Verb> named = all.stream().filter(verb -> verb.name().equals(name)).toList();
        return named.isEmpty() || name.equals("help") ? all : named;
    }

    /** With all verbs. */
    static CommandLine commandLine(Terminal terminal) {
        return commandLine(new HubCommand(), VERBS, terminal);
    }

    private static CommandLine commandLine(CommandGroup top, List<Verb> verbs, Terminal terminal) {
        CommandLine commandLine = new CommandLine(top, new CommandFactory(terminal));
        verbs.forEach(verb -> commandLine.addSubcommand(verb.name(), verb.command()));
        commandLine.setOut(new PrintWriter(terminal.out(), true, UTF_8));
        commandLine.setErr(new PrintWriter(terminal.err(), true, UTF_8));
        commandLine.setUsageHelpWidth(100);
        commandLine.setAbbreviatedOptionsAllowed(false);
        commandLine.setExecutionStrategy(given -> {
            OptionalConnection.rejectUnused(given);
            return new CommandLine.RunLast().execute(given);
        });
        commandLine.setParameterExceptionHandler((mistake, ignored) -> printUsageError(terminal, mistake));
        commandLine.setExecutionExceptionHandler((fault, command, result) -> explain(terminal, fault, command));
        return commandLine;
    }

    private static int printUsageError(Terminal terminal, ParameterException mistake) {
        String command = mistake.getCommandLine().getCommandSpec().qualifiedName();
        String text = String.valueOf(mistake.getMessage()).replace('\n', ' ');
        String message = text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
        String cure = command + " --help shows the usage";
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            List<String> suggestions = unmatched.getSuggestions();
            message = (unmatched.isUnknownOption() ? "unknown option " : "unknown verb or argument ")
                    + String.join(" ", unmatched.getUnmatched());
            if (!suggestions.isEmpty()) {
                String both = String.join(" or ", suggestions.subList(0, Math.min(2, suggestions.size())));
                cure = "did you mean "
                        + SpellingSuggestion.findClosest(
                                        unmatched.getUnmatched().getFirst(), suggestions)
                                .orElse(both) + "?";
            }
        }
        terminal.printRefusal(message + "; " + cure);
        return ExitCode.UNUSABLE_INPUT;
    }

    private static int explain(Terminal terminal, Exception fault, CommandLine command) {
        if (fault instanceof CommandException refusal) {
            terminal.printRefusal(String.valueOf(refusal.getMessage()));
            return refusal.exitCode();
        }
        if (fault instanceof FleetFailure failure) {
            terminal.printRefusal(failure.text());
            failure.lines().forEach(line -> terminal.err().println("  " + line));
            return failure.kind().exitCode();
        }
        // The message of an unexpected exception may contain a credential: print only type and location.
        String id = UUID.randomUUID().toString().substring(0, 8);
        OptionSpec verbose = command.getCommandSpec().findOption("--verbose");
        if (verbose != null && verbose.getValue() instanceof boolean[] times && times.length < 2) {
            terminal.printRefusal("internal error " + id + "; run it again with -v -v and report the output");
            return ExitCode.INTERNAL_ERROR;
        }
        terminal.printRefusal("internal error " + id + "; please report it with these lines");
        for (Throwable cause = fault; cause != null; cause = cause.getCause()) {
            terminal.err().println("  " + cause.getClass().getName());
            for (StackTraceElement place : cause.getStackTrace()) {
                if (place.getClassName().startsWith("io.osmhub.")) {
                    terminal.err().println("    at " + place);
                }
            }
        }
        return ExitCode.INTERNAL_ERROR;
    }

    /** Creates the commands; passes the terminal to constructors that have a parameter for it. */
    private static final class CommandFactory implements IFactory {
        private final Terminal terminal;

        CommandFactory(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public <K> K create(Class<K> type) throws Exception {
            for (var constructor : type.getDeclaredConstructors()) {
                if (constructor.getParameterCount() == 1 && constructor.getParameterTypes()[0] == Terminal.class) {
                    return type.cast(constructor.newInstance(terminal));
                }
            }
            return CommandLine.defaultFactory().create(type);
        }
    }
}
