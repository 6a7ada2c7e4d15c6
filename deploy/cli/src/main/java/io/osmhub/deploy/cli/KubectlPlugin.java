package io.osmhub.deploy.cli;

import io.osmhub.deploy.cli.HubCommand.Verb;
import io.osmhub.deploy.fleet.FleetOptions;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

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
        versionProvider = VersionCommand.Provider.class)
final class KubectlPlugin extends CommandGroup {
    /** The executable name that {@code kubectl} looks up. */
    static final String PROGRAM = "kubectl-osmhub";

    private static final List<String> VERBS = List.of(
            "cluster",
            "login",
            "get",
            "describe",
            "why",
            "wait",
            "events",
            "lint",
            "render",
            "diff",
            "explain",
            "version",
            "help");

    private static final String SERVER = "--server";

    /** {@code login} stores it for the management cluster of the kubeconfig. */
    private static final Set<String> ACCEPTS_A_SERVER = Set.of("diff", "login");

    /** The verbs of the plugin. */
    static List<Verb> verbs(List<Verb> all) {
        return all.stream().filter(verb -> VERBS.contains(verb.name())).toList();
    }

    /** The environment of a command; without the server if it runs as a plugin, which uses the cluster of the kubeconfig. */
    static Map<String, String> environment(CommandSpec command) {
        Map<String, String> environment = new HashMap<>(System.getenv());
        if (command.root().userObject() instanceof KubectlPlugin && !ACCEPTS_A_SERVER.contains(command.name())) {
            environment.remove(FleetOptions.SERVER_VARIABLE);
        }
        return environment;
    }

    /** Removes the options for other endpoints. */
    static CommandLine prepareForKubectl(CommandLine commandLine) {
        commandLine.getSubcommands().forEach((name, subcommand) -> {
            if (!ACCEPTS_A_SERVER.contains(name)) {
                CommandSpec command = subcommand.getCommandSpec();
                OptionSpec server = command.findOption(SERVER);
                if (server != null) {
                    command.remove(server);
                }
                prepareForKubectl(subcommand);
            }
        });
        return commandLine;
    }
}
