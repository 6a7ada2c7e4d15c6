package io.osmhub.deploy.cli;

import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.deploy.cluster.ClusterTable;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.OutputFormat;
import io.osmhub.deploy.fleet.PrintOptions;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster get}: one worker cluster. */
@Command(name = "get", mixinStandardHelpOptions = true, description = "Show one worker cluster.")
final class ClusterGetCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private String name = "";

    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    @Mixin
    private final PrintOptions print = new PrintOptions();

    ClusterGetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    @Nullable Path managementKubeconfig() {
        return kubeconfig;
    }

    @Override
    int run(FleetSource fleet, FleetEndpoint remote) throws FleetFailure {
        WorkerClusterEntry cluster = fleet.workerCluster(options.namespace(remote), name);
        switch (print.format()) {
            case json -> printLine(ObjectPrinter.json(cluster));
            case yaml -> printLine(ObjectPrinter.yaml(cluster));
            case name -> printLine("wc/" + cluster.metadata().name());
            case table, wide ->
                new ClusterTable(List.of(cluster), Instant.now())
                        .table(print.format() == OutputFormat.wide)
                        .lines(print.headers(), print.colors(terminal.isScreen()), terminal.width())
                        .forEach(this::printLine);
        }
        return ExitCode.OK;
    }
}
