package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FailureMessages;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.RegistrationClient;
import io.osmhub.deploy.view.RegistrationFormatter;
import io.osmhub.tenancy.kubeconfig.KubeconfigValidator.KubeconfigValidation;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** A verb that changes or tests the registration of one worker cluster. */
abstract class RegistrationCommand extends FleetCommand<RegistrationClient> {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    String name = "";

    @Override
    final RegistrationClient open(FleetEndpoint remote) {
        if (remote.server() == null) {
            options.rejectApiOptions();
        }
        return remote.openRegistrations();
    }

    /** A verb that needs no kubeconfig of the worker cluster. */
    abstract static class ManagedClusterCommand extends RegistrationCommand {
        @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
        private @Nullable Path kubeconfig;

        @Override
        final @Nullable Path managementKubeconfig() {
            return kubeconfig;
        }
    }

    /** A verb whose {@code --kubeconfig} is a worker cluster's. */
    abstract static class WorkerKubeconfigCommand extends RegistrationCommand {
        @Option(
                names = "--management-kubeconfig",
                paramLabel = "FILE",
                description = "Kubeconfig of the management cluster. Default: $KUBECONFIG, ~/.kube/config.")
        private @Nullable Path management;

        @Override
        final @Nullable Path managementKubeconfig() {
            return management;
        }

        /** Reads and validates a kubeconfig before it is stored, and prints it. */
        final WorkerKubeconfig readValid(String file) {
            WorkerKubeconfig given = WorkerKubeconfig.read(file, terminal);
            switch (given.vet()) {
                case KubeconfigValidation.Valid(var vetted) ->
                    printLine(RegistrationFormatter.formatKubeconfig(given.source(), vetted));
                case KubeconfigValidation.Invalid refused ->
                    throw FailureMessages.of(refused.findings(), given.source(), "nothing was stored");
            }
            return given;
        }
    }
}
