package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.DefinitionUpgrade;
import io.osmhub.deploy.fleet.DefinitionUpgrade.Step;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub install}: installs the prerequisites in the management cluster. */
@Command(
        name = "install",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "WHAT",
        description = "Install the hub's prerequisites in the management cluster.",
        subcommands = InstallCommand.Definitions.class)
final class InstallCommand extends CommandGroup {
    /** {@code hub install crds}. */
    @Command(
            name = "crds",
            mixinStandardHelpOptions = true,
            description = {
                "Install the three CustomResourceDefinitions, and update the hub's own to this version's schema.",
                "Definitions of another product change only with --take-over. Objects are never changed."
            })
    static final class Definitions extends TerminalCommand {
        @Option(
                names = "--take-over",
                description = "Also replace the schema of definitions managed by another product.")
        private boolean takeOver;

        @Option(names = "--dry-run", description = "Print the changes without applying them.")
        private boolean dryRun;

        @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
        private @Nullable Path kubeconfig;

        @Option(names = "--context", paramLabel = "NAME", description = "Context of the kubeconfig.")
        private String context = "";

        @Override
        public Integer call() {
            FleetEndpoint remote = FleetEndpoint.ofManagement(kubeconfig, context, Duration.ofSeconds(30));
            try (ManagementClient client = ManagementClient.open(remote)) {
                List<Step> steps;
                try (ProgressIndicator _ = ProgressIndicator.start(terminal, client.describe())) {
                    steps = new DefinitionUpgrade(client.management()).run(takeOver, dryRun);
                }
                terminal.out().println("CustomResourceDefinitions of " + client.describe());
                steps.forEach(step -> terminal.out().println("  " + step.describe(dryRun)));
                boolean left = steps.stream().anyMatch(step -> step.what() == Step.UpgradeAction.LEFT);
                if (left) {
                    terminal.err()
                            .println("unchanged: managed by another product; use --take-over to replace its schema");
                }
                return left ? ExitCode.FOUND_SOMETHING : ExitCode.OK;
            } catch (ApiFailure e) {
                throw FailureMessages.of(e, "the management cluster");
            }
        }
    }
}
