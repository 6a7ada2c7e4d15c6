package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.HubClient;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/** A read-only verb: a client of the hub's API. */
abstract class ReadCommand extends FleetCommand<HubClient> {
    @Override
    final HubClient open(FleetEndpoint remote) {
        return remote.openHub().withHints(this::printHint);
    }

    @Override
    @Nullable Duration limit() {
        return options.timeout();
    }
}
