package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Remote;
import picocli.CommandLine.Command;

/** {@code hub cluster list}: the worker clusters that the caller may see, worst first. */
@Command(
        name = "list",
        aliases = "ls",
        mixinStandardHelpOptions = true,
        description = "List worker clusters, the worst first.",
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
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        return get(fleet, remote, clusters());
    }
}
