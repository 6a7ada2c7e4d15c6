package io.osmhub.deploy.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.cli.Terminal.Output;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.TlsSettings;
import java.io.PrintWriter;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Help;
import picocli.CommandLine.IFactory;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.UnmatchedArgumentException;

/** The root command. Without a verb, prints usage. */
@Command(
        name = HubCommand.NAME,
        description = "Operating System Manager for many tenants.",
        synopsisSubcommandLabel = "VERB",
        commandListHeading = "%nVerbs:%n",
        optionListHeading = "%nOptions:%n",
        footer = {
            "",
            "Use hub help VERB for details. Servers are started by hub run, hub controller and hub webhook.",
            "Exit codes: 0 done, 1 found something, 2 unusable input, 3 not found, 4 not allowed, 5 not reachable,"
                    + " 6 conflict, 70 internal error, 74 output not written, 130 interrupted."
        },
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class)
public final class HubCommand extends CommandGroup {
    static final String NAME = "hub";
    /** The first argument of a call by kubectl, which looks up an executable of this name. */
    private static final String PLUGIN = "kubectl-osmhub";

    private static final List<Verb> VERBS = List.of(
            new Verb("get", GetCommand.class),
            new Verb("why", WhyCommand.class),
            new Verb("diff", DiffCommand.class),
            new Verb("render", RenderCommand.class),
            new Verb("lint", LintCommand.class),
            new Verb("cluster", ClusterCommand.class),
            new Verb("migrate", MigrateCommand.class),
            new Verb("install", InstallCommand.class),
            new Verb("config", ConfigCommand.class),
            new Verb("airgap", AirGapCommand.class),
            new Verb("login", LoginCommand.class),
            new Verb("doctor", DoctorCommand.class),
            new Verb("version", VersionCommand.class),
            new Verb("completion", CompletionCommand.class),
            new Verb("help", CommandLine.HelpCommand.class),
            new Verb("run", RunCommand.class),
            new Verb("controller", ControllerCommand.class),
            new Verb("webhook", WebhookCommand.class),
            new Verb("warm-up", WarmUpCommand.class));

    /** Verbs that images start, not users: the list of verbs omits them. */
    private static final Set<String> SERVER_MODES = Set.of("run", "controller", "webhook");

    /** Their AOT cache is that of {@code warm-up --read-only}; {@code bin/hub} has the same list. */
    static final Set<String> READ_ONLY_VERBS = Set.of("get", "why", "version", PLUGIN);

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
        boolean plugin = !all.isEmpty() && all.getFirst().equals(PLUGIN);
        List<String> words = plugin ? all.subList(1, all.size()) : all;
        int result = execute(terminal, plugin ? "kubectl osmhub" : NAME, words);
        if (terminal.out().checkError()) {
            if (terminal.out() instanceof Output output && output.isClosedByReader()) {
                return ExitCode.OUTPUT_CLOSED;
            }
            terminal.printRefusal("could not write the complete result to standard output");
            return ExitCode.OUTPUT_FAILED;
        }
        return result;
    }

    private static int execute(Terminal terminal, String program, List<String> words) {
        String removed = RemovedUsage.verb(words);
        if (removed != null) {
            terminal.printRefusal(removed);
            return ExitCode.UNUSABLE_INPUT;
        }
        // OSM's flags use Go's syntax, which no other verb parses.
        return switch (words.isEmpty() ? "" : words.getFirst()) {
            case "controller" -> ControllerCommand.run(terminal, words.subList(1, words.size()));
            case "webhook" -> WebhookCommand.run(terminal, words.subList(1, words.size()));
            default ->
                commandLine(verbs(words), terminal).setCommandName(program).execute(words.toArray(String[]::new));
        };
    }

    /** The verb of the command line; all if it has none or needs all. */
    private static List<Verb> verbs(List<String> arguments) {
        String name = arguments.isEmpty() ? "" : arguments.getFirst();
        List<Verb> named =
                VERBS.stream().filter(verb -> verb.name().equals(name)).toList();
        return named.isEmpty() || name.equals("help") ? VERBS : named;
    }

    /** With all verbs. */
    static CommandLine commandLine(Terminal terminal) {
        return commandLine(VERBS, terminal);
    }

    private static CommandLine commandLine(List<Verb> verbs, Terminal terminal) {
        CommandLine commandLine = new CommandLine(new HubCommand(), new CommandFactory(terminal));
        verbs.forEach(verb -> commandLine.addSubcommand(verb.name(), verb.command()));
        commandLine.setOut(new PrintWriter(terminal.out(), true, UTF_8));
        commandLine.setErr(new PrintWriter(terminal.err(), true, UTF_8));
        commandLine.getHelpSectionMap().put(UsageMessageSpec.SECTION_KEY_COMMAND_LIST, HubCommand::listUserVerbs);
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

    private static String listUserVerbs(Help help) {
        Map<String, Help> verbs = new LinkedHashMap<>(help.subcommands());
        verbs.keySet().removeAll(SERVER_MODES);
        return help.commandList(verbs);
    }

    private static int printUsageError(Terminal terminal, ParameterException mistake) {
        String command = mistake.getCommandLine().getCommandSpec().qualifiedName();
        String text = String.valueOf(mistake.getMessage()).replace('\n', ' ');
        String message = text.isEmpty() ? text : Character.toLowerCase(text.charAt(0)) + text.substring(1);
        String cure = command + " --help shows the usage";
        String removed = RemovedUsage.format(mistake.getValue());
        if (mistake instanceof UnmatchedArgumentException unmatched) {
            removed = mistake.getCommandLine().getCommandSpec().userObject() instanceof GetCommand
                    ? RemovedUsage.option(unmatched.getUnmatched().getFirst())
                    : null;
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
        terminal.printRefusal(removed == null ? message + "; " + cure : removed);
        return ExitCode.UNUSABLE_INPUT;
    }

    private static int explain(Terminal terminal, Exception fault, CommandLine command) {
        if (fault instanceof CommandFailure failure) {
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

    /** Creates the commands with the terminal. */
    private static final class CommandFactory implements IFactory {
        private final Terminal terminal;

        CommandFactory(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public <K> K create(Class<K> type) throws Exception {
            K command = CommandLine.defaultFactory().create(type);
            if (command instanceof TerminalCommand user) {
                user.terminal = terminal;
            }
            return command;
        }
    }
}
