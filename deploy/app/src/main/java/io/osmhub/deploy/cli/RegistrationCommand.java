package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.RegistrationClient;
import picocli.CommandLine.Parameters;

/** A verb that changes or tests the registration of one worker cluster. */
abstract class RegistrationCommand extends FleetCommand<RegistrationClient> {
    @Parameters(index = "0", paramLabel = "NAME", description = "Name of the WorkerCluster.")
    String name = "";

    RegistrationCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    final RegistrationClient open(FleetEndpoint remote) throws FleetFailure {
        return remote.openRegistrations();
    }
}
