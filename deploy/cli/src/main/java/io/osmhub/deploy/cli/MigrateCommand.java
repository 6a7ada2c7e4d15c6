package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.ManagementClient;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.PrintOptions;
import io.osmhub.deploy.fleet.PrintOptions.OutputFormat;
import io.osmhub.deploy.migrate.MigrationFormatter;
import io.osmhub.deploy.migrate.MigrationPlan;
import io.osmhub.deploy.migrate.MigrationPlanner;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** {@code hub migrate}: migrates tenants from Operating System Manager (OSM). Without a subcommand, prints usage. */
@Command(
        name = "migrate",
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "VERB",
        description = "Migrate tenants from Operating System Manager (OSM).",
        subcommands = MigrateCommand.Plan.class)
final class MigrateCommand implements Runnable {
    @Spec
    @SuppressWarnings("NullAway.Init") // set by picocli before run
    private CommandSpec spec;

    @Override
    public void run() {
        spec.commandLine().usage(spec.commandLine().getOut());
    }

    /** A verb that reads the management cluster and, with the stored kubeconfigs, the worker clusters. */
    abstract static class MigrationVerb extends FleetCommand<ManagementClient> {
        @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
        private @Nullable Path kubeconfig;

        @Option(
                names = "--kubeconfig-secret",
                paramLabel = "NAME",
                description = "Secret of the tenant's namespace whose kubeconfig the hub is to use. Default: OSM's.")
        private @Nullable String kubeconfigSecret;

        MigrationVerb(Terminal terminal) {
            super(terminal);
        }

        @Override
        final @Nullable Path managementKubeconfig() {
            return kubeconfig;
        }

        @Override
        final ManagementClient open(FleetEndpoint remote) throws FleetFailure {
            if (remote.server() != null) {
                throw FleetFailure.unusable("migrate reads the clusters; omit --server and use --kubeconfig");
            }
            return ManagementClient.open(remote);
        }

        final MigrationPlan plan(ManagementClient client, FleetEndpoint remote) throws FleetFailure {
            try {
                return new MigrationPlanner(client, remote.tunnel().hubNamespace(), kubeconfigSecret)
                        .plan(options.scope(remote));
            } catch (ApiFailure e) {
                throw FailureMessages.of(e, client.describe());
            }
        }
    }

    /** {@code hub migrate plan}. */
    @Command(
            name = "plan",
            mixinStandardHelpOptions = true,
            description = {
                "Show what migrating from OSM would do: settings, profiles, and whether the hub renders what is stored.",
                "Reads OSM's Deployment in the tenant's namespace and, with the kubeconfig that it uses, the worker cluster."
                        + " Changes nothing."
            },
            footer = {
                "",
                "Examples:",
                "  hub migrate plan -n cluster-9tzl4w",
                "  hub migrate plan -A -o json",
                "",
                "Exit codes: 0 nothing would be written, 1 something would, or an object is unclear."
            })
    static final class Plan extends MigrationVerb {
        @Mixin
        private final PrintOptions print = new PrintOptions();

        Plan(Terminal terminal) {
            super(terminal);
        }

        @Override
        int run(ManagementClient client, FleetEndpoint remote) throws FleetFailure {
            MigrationPlan plan = plan(client, remote);
            switch (print.format()) {
                case json -> printLine(ObjectPrinter.json(plan));
                case yaml -> printLine(ObjectPrinter.yaml(plan));
                case name ->
                    plan.items().forEach(one -> printLine("wc/" + one.namespace() + "/" + one.workerCluster()));
                case table, wide ->
                    MigrationFormatter.lines(
                                    plan, print.format() == OutputFormat.wide, print.headers(), terminal.width())
                            .forEach(this::printLine);
            }
            if (plan.items().isEmpty()) {
                throw FleetFailure.notFound("no Deployment operating-system-manager; select a namespace with -n");
            }
            return plan.totals().unclear() + plan.totals().writes() == 0 ? ExitCode.OK : ExitCode.FOUND_SOMETHING;
        }
    }
}
