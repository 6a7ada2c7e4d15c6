package io.osmhub.deploy.cli;

import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.deploy.cluster.RegistrationFormatter;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidation;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster rotate}: replaces the stored kubeconfig. */
@Command(
        name = "rotate",
        mixinStandardHelpOptions = true,
        description = "Replace the kubeconfig of a worker cluster. The new one is tested first; a failed test changes"
                + " nothing.")
final class ClusterRotateCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private String name = "";

    @Option(
            names = "--kubeconfig",
            required = true,
            paramLabel = "FILE",
            description = "The new kubeconfig; - for standard input.")
    private String kubeconfig = "";

    @Option(names = "--scoped", description = "Store a short-lived token of the hub's own account instead.")
    private boolean scoped;

    @Mixin
    private final ManagementKubeconfig management = new ManagementKubeconfig();

    ClusterRotateCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    @Nullable Path managementKubeconfig() {
        return management.file();
    }

    @Override
    int run(FleetSource fleet, FleetEndpoint remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        WorkerKubeconfig given = WorkerKubeconfig.read(kubeconfig, terminal);
        switch (given.vet()) {
            case KubeconfigValidation.Valid(var vetted) ->
                printLine(RegistrationFormatter.formatKubeconfig(given.source(), vetted));
            case KubeconfigValidation.Invalid refused ->
                throw ClusterAddCommand.rejectKubeconfig(given.source(), refused.findings());
        }
        RegistrationResult result = fleet.registrations().rotate(namespace, name, given.text(), scoped);
        RegistrationFormatter.formatResult(result, Instant.now()).forEach(this::printLine);
        printLine(workerCluster(fleet, namespace, name) + " has a new kubeconfig.");
        return ExitCode.OK;
    }
}
