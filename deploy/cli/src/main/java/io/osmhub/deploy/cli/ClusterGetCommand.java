package io.osmhub.deploy.cli;

import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.PrintOptions.OutputFormat;
import io.osmhub.deploy.view.FleetTables;
import java.time.Instant;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hub cluster get}: one worker cluster. */
@Command(name = "get", mixinStandardHelpOptions = true, description = "Show one worker cluster.")
final class ClusterGetCommand extends ReadCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private String name = "";

    ClusterGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(HubClient hub, FleetEndpoint remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        WorkerClusterEntry cluster = getOrSuggest(
                () -> hub.workerCluster(namespace, name),
                name,
                () -> ListableKind.CLUSTERS.existingNames(hub, namespace));
        printObject(cluster, "wc/" + cluster.metadata().name(), () -> FleetTables.clusters(
                        List.of(cluster),
                        new FleetTables.TableScope(print.format() == OutputFormat.wide, true, Instant.now()))
                .lines(print.headers(), colors(), terminal.width()));
        return ExitCode.OK;
    }
}
