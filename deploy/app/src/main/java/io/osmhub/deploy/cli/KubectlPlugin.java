package io.osmhub.deploy.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Spec;

/** {@code kubectl osmhub}: the fleet and registration verbs, always on the management cluster of the kubeconfig. */
@Command(
        name = "kubectl osmhub",
        description = {
            "Operating System Manager for many tenants.",
            "Uses the management cluster of the kubeconfig with the permissions of its user."
        },
        synopsisSubcommandLabel = "VERB",
        commandListHeading = "%nVerbs:%n",
        optionListHeading = "%nOptions:%n",
        mixinStandardHelpOptions = true,
        versionProvider = VersionCommand.Provider.class,
        subcommands = {
            ClusterCommand.class,
            GetCommand.class,
            DescribeCommand.class,
            WhyCommand.class,
            EventsCommand.class,
            LintCommand.class,
            RenderCommand.class,
            DiffCommand.class,
            ExplainCommand.class,
            VersionCommand.class,
            CommandLine.HelpCommand.class,
        })
final class KubectlPlugin implements Runnable {
    /** The executable name that {@code kubectl} looks up. */
    static final String PROGRAM = "kubectl-osmhub";

    private static final Set<String> OF_THE_API = Set.of("--server", "--token-file", "--ca-file");

    /** Rendering needs the hub's API. */
    private static final Set<String> NEEDS_THE_API = Set.of("diff");

    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** Whether the command runs as a kubectl plugin. */
    static boolean isPluginCommand(CommandSpec command) {
        return command.root().userObject() instanceof KubectlPlugin && !NEEDS_THE_API.contains(command.name());
    }

    /** Removes the options for other endpoints. */
    static CommandLine prepareForKubectl(CommandLine commandLine) {
        commandLine.getSubcommands().forEach((name, subcommand) -> {
            if (!NEEDS_THE_API.contains(name)) {
                List<OptionSpec> options =
                        new ArrayList<>(subcommand.getCommandSpec().options());
                options.removeIf(option -> !OF_THE_API.contains(option.longestName()));
                options.forEach(subcommand.getCommandSpec()::remove);
                prepareForKubectl(subcommand);
            }
        });
        return commandLine;
    }
}
