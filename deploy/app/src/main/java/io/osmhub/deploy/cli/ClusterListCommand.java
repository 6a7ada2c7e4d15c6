package io.osmhub.deploy.cli;

import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.deploy.cluster.ClusterTable;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.ListQuery;
import io.osmhub.deploy.fleet.OutputFormat;
import io.osmhub.deploy.fleet.PrintOptions;
import io.osmhub.deploy.fleet.Printed;
import io.osmhub.deploy.fleet.Remote;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hub cluster list}: the worker clusters that the caller may see, worst first. */
@Command(
        name = "list",
        aliases = "ls",
        mixinStandardHelpOptions = true,
        description = "List worker clusters, the worst first.",
        footer = {
            "",
            "Examples:",
            "  hub cluster list",
            "  hub cluster list -l env=prod --sort credentialsExpireAt -o wide"
        })
final class ClusterListCommand extends FleetCommand {
    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "LABELS",
            description = "Only those with these labels.")
    private String labels = "";

    @Option(names = "--search", paramLabel = "TEXT", description = "Only those with this text in a name or label.")
    private String search = "";

    @Option(
            names = "--sort",
            paramLabel = "FIELDS",
            preprocessor = SortFields.class,
            description = "Fields of the API, with - in front for the other way.")
    private String sort = "";

    @Option(names = "--limit", paramLabel = "N", description = "Most worker clusters.")
    private int limit;

    @Mixin
    private final PrintOptions print = new PrintOptions();

    ClusterListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    @Nullable Path managementKubeconfig() {
        return kubeconfig;
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        ListQuery query = new ListQuery(options.named(), labels, Map.of(), search, sort, limit);
        print(fleet.workerClusters(query), true);
        return ExitCode.OK;
    }

    private void print(List<WorkerCluster> clusters, boolean summary) {
        switch (print.format()) {
            case json -> say(Printed.json(Printed.list(clusters)));
            case yaml -> say(Printed.yaml(Printed.list(clusters)));
            case name -> clusters.forEach(ClusterListCommand.this::name);
            case table, wide -> {
                ClusterTable table = new ClusterTable(clusters, Instant.now());
                table.table(print.format() == OutputFormat.wide)
                        .lines(print.headers(), print.colors(terminal.isScreen()), terminal.width())
                        .forEach(this::say);
                if (summary) {
                    hint(table.summary());
                }
            }
        }
    }

    private void name(WorkerCluster cluster) {
        say("wc/" + cluster.metadata().name());
    }
}
