package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.HubClient;
import java.nio.file.Path;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A read-only verb: a client of the hub's API. */
abstract class ReadCommand extends FleetCommand<HubClient> {
    @Option(names = "--kubeconfig", paramLabel = "FILE", description = "Kubeconfig of the management cluster.")
    private @Nullable Path kubeconfig;

    @Override
    final @Nullable Path managementKubeconfig() {
        return kubeconfig;
    }

    @Override
    final HubClient open(FleetEndpoint remote) {
        return remote.openHub().withHints(this::printHint);
    }

    @Override
    @Nullable Duration limit() {
        return options.timeout();
    }
}
