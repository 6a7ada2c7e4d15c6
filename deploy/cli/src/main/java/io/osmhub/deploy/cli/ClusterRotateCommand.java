package io.osmhub.deploy.cli;

import io.osmhub.api.schema.RegistrationResult;
import io.osmhub.deploy.cli.RegistrationCommand.ManagementKubeconfig;
import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.RegistrationClient;
import io.osmhub.deploy.view.RegistrationFormatter;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import java.nio.file.Path;
import java.time.Instant;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code hub cluster rotate}: replaces the stored kubeconfig. */
@Command(
        name = "rotate",
        mixinStandardHelpOptions = true,
        description = "Replace the kubeconfig of a worker cluster. The new one is tested first; a failed test changes"
                + " nothing.")
final class ClusterRotateCommand extends RegistrationCommand {
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
    int run(RegistrationClient client, FleetEndpoint remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        WorkerKubeconfig given = WorkerKubeconfig.read(kubeconfig, terminal);
        switch (given.vet()) {
            case KubeconfigValidation.Valid(var vetted) ->
                printLine(RegistrationFormatter.formatKubeconfig(given.source(), vetted));
            case KubeconfigValidation.Invalid refused ->
                throw FailureMessages.of(refused.findings(), given.source(), "nothing was stored");
        }
        RegistrationResult result = client.rotate(namespace, name, given.text(), scoped);
        RegistrationFormatter.formatResult(result, Instant.now()).forEach(this::printLine);
        printLine(workerCluster(client, namespace, name) + " has a new kubeconfig.");
        return ExitCode.OK;
    }
}
