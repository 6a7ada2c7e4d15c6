package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.HubClient;
import picocli.CommandLine.Command;

/** {@code hub cluster list}: lists the worker clusters visible to the caller, most severe first. */
@Command(
        name = "list",
        aliases = "ls",
        mixinStandardHelpOptions = true,
        description = "List worker clusters, most severe first.",
        footer = {
            "",
            "Examples:",
            "  hub cluster list",
            "  hub cluster list -l env=prod --sort credentialsExpireAt -o wide"
        })
final class ClusterListCommand extends ListCommand {
    ClusterListCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(HubClient hub, FleetEndpoint remote) throws FleetFailure {
        return get(hub, remote, ListableKind.CLUSTERS);
    }
}
