package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Remote;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub cluster renew}: a new token of the hub's own account, now. */
@Command(
        name = "renew",
        mixinStandardHelpOptions = true,
        description = "Renew the scoped credential of a worker cluster now, without waiting for a third of its life.")
final class ClusterRenewCommand extends FleetCommand {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    private String name = "";

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
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        String namespace = options.namespace(remote);
        fleet.registrations().renew(namespace, name);
        say(workerCluster(fleet, namespace, name)
                + (remote.server() == null
                        ? ": renewal asked for; the hub that serves it does it at once."
                        : ": the scoped credential is new."));
        return ExitCode.OK;
    }
}
