package io.osmhub.deploy.cli;

import io.osmhub.api.schema.TestReport;
import io.osmhub.deploy.cluster.ReportLines;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.OutputFormat;
import io.osmhub.deploy.fleet.PrintOptions;
import io.osmhub.deploy.fleet.Printed;
import io.osmhub.deploy.fleet.Remote;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster test}: what a kubeconfig can and cannot do. */
@Command(
        name = "test",
        mixinStandardHelpOptions = true,
        description = {
            "Try the stored kubeconfig of a worker cluster, or one that is given: address, TLS, version, clock, permissions.",
            "Changes nothing. With --server the hub tries it, else this machine does."
        },
        footer = {"", "Exit codes: 0 all checks passed, 1 one failed, 3 there is no such WorkerCluster."})
final class ClusterTestCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster, registered or to be.")
    private String name = "";

    @Option(
            names = "--kubeconfig",
            paramLabel = "FILE",
            description = "Try this one in place of the stored one; - for the standard input.")
    private @Nullable String kubeconfig;

    @Mixin
    private final ManagementKubeconfig management = new ManagementKubeconfig();

    @Mixin
    private final PrintOptions print = new PrintOptions();

    ClusterTestCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    @Nullable Path managementKubeconfig() {
        return management.file();
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        WorkerKubeconfig given = kubeconfig == null ? null : WorkerKubeconfig.read(kubeconfig, terminal);
        TestReport report = fleet.registrations().test(namespace, name, given == null ? null : given.text());
        if (print.format() == OutputFormat.json) {
            say(Printed.json(report));
        } else if (print.format() == OutputFormat.yaml) {
            say(Printed.yaml(report));
        } else {
            ReportLines.of(report).forEach(this::say);
            hint(ReportLines.summary(report));
        }
        return report.passed() ? ExitCode.OK : ExitCode.FOUND_SOMETHING;
    }
}
