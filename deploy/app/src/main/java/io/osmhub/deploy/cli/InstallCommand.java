package io.osmhub.deploy.cli;

import io.osmhub.deploy.cluster.DefinitionUpgrade;
import io.osmhub.deploy.cluster.DefinitionUpgrade.Step;
import io.osmhub.deploy.fleet.DirectFleet;
import io.osmhub.deploy.fleet.Failing;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.tenancy.client.TypedClient;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code hub install}: what is made in the management cluster before the hub runs. */
@Command(
        name = "install",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "WHAT",
        description = "Install what the hub needs in the management cluster.",
        subcommands = InstallCommand.Definitions.class)
final class InstallCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** {@code hub install crds}. */
    @Command(
            name = "crds",
            mixinStandardHelpOptions = true,
            description = {
                "Install the three CustomResourceDefinitions, and bring the hub's own to the schema of this version.",
                "One that another product manages is left alone unless --take-over is given. Objects are never touched."
            })
    static final class Definitions implements Callable<Integer> {
        private final Terminal terminal;

        @Option(
                names = "--take-over",
                description = "Also replace the schema of definitions that another product manages.")
        private boolean takeOver;

        @Option(names = "--dry-run", description = "Say what would be done.")
        private boolean dryRun;

        @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
        private @Nullable Path kubeconfig;

        @Option(names = "--context", paramLabel = "NAME", description = "Context of the kubeconfig.")
        private String context = "";

        Definitions(Terminal terminal) {
            this.terminal = terminal;
        }

        @Override
        public Integer call() throws FleetFailure {
            Remote remote = Remote.straight(kubeconfig, context, Duration.ofSeconds(30));
            try (DirectFleet fleet = DirectFleet.open(remote);
                    TypedClient management = fleet.typed()) {
                List<Step> steps;
                try (Progress _ = Progress.begin(terminal, fleet.describe())) {
                    steps = new DefinitionUpgrade(management).run(takeOver, dryRun);
                }
                terminal.out().println("CustomResourceDefinitions of " + fleet.describe());
                steps.forEach(step -> terminal.out().println("  " + step.words(dryRun)));
                boolean left = steps.stream().anyMatch(step -> step.what() == Step.What.LEFT);
                if (left) {
                    terminal.err()
                            .println("left alone because another product manages it; --take-over replaces its schema");
                }
                return left ? ExitCode.FOUND_SOMETHING : ExitCode.OK;
            } catch (ApiFailure e) {
                throw Failing.of(e, "the management cluster");
            }
        }
    }
}
