package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.RegistrationClient;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code hub cluster renew}: renews the scoped credential now. */
@Command(
        name = "renew",
        mixinStandardHelpOptions = true,
        description = "Renew the scoped credential of a worker cluster now, not only after a third of its lifetime.")
final class ClusterRenewCommand extends RegistrationCommand {
    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    ClusterRenewCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    @Nullable Path managementKubeconfig() {
        return kubeconfig;
    }

    @Override
    int run(RegistrationClient client, FleetEndpoint remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        client.renew(namespace, name);
        printLine(workerCluster(client, namespace, name)
                + (remote.server() == null ? ": renewal requested." : ": scoped credential renewed."));
        return ExitCode.OK;
    }
}
