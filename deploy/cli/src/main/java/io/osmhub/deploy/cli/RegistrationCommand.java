package io.osmhub.deploy.cli;

import io.osmhub.deploy.cli.CommandCompletion.ObjectArguments;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.RegistrationClient;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A verb that changes or tests the registration of one worker cluster. */
abstract class RegistrationCommand extends FleetCommand<RegistrationClient> implements ObjectArguments {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    String name = "";

    RegistrationCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    public @Nullable ListableKind<?> nextKind(List<String> arguments) {
        return ListableKind.CLUSTERS;
    }

    @Override
    public boolean acceptsTenants() {
        return false;
    }

    @Override
    final RegistrationClient open(FleetEndpoint remote) throws FleetFailure {
        return remote.openRegistrations();
    }

    /** A verb that needs no kubeconfig of the worker cluster. */
    abstract static class ManagedClusterCommand extends RegistrationCommand {
        @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
        private @Nullable Path kubeconfig;

        ManagedClusterCommand(Terminal terminal) {
            super(terminal);
        }

        @Override
        final @Nullable Path managementKubeconfig() {
            return kubeconfig;
        }
    }

    /** The management cluster option of verbs whose {@code --kubeconfig} is a worker cluster's. */
    static final class ManagementKubeconfig {
        @Option(
                names = "--management-kubeconfig",
                paramLabel = "FILE",
                description = "Kubeconfig of the management cluster. Default: $KUBECONFIG, ~/.kube/config.")
        private @Nullable Path file;

        @Nullable Path file() {
            return file;
        }
    }
}
