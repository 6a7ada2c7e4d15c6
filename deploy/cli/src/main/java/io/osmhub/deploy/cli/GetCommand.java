package io.osmhub.deploy.cli;

import io.osmhub.deploy.cli.CommandCompletion.ObjectArguments;
import io.osmhub.deploy.cli.ObjectSelection.NamedObjects;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.HubClient;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code hub get}: lists objects of the fleet. */
@Command(
        name = "get",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "List worker clusters, profiles, configurations, MachineDeployments or open problems.",
            "Values known only to the replica that serves a tenant are shown as ? if another replica responds."
        },
        footer = {
            "",
            "Examples:",
            "  hub get clusters",
            "  hub get mds -A --field-selector newNodes=Blocked",
            "  hub get mds -n cluster-7xk2m9 -o wide",
            "  hub get problems -A -w",
            "",
            "Exit codes: 0 done, 2 unusable flags, 3 not found, 4 not allowed, 5 not reachable."
        })
final class GetCommand extends ListCommand implements ObjectArguments {
    @Mixin
    private final NamedObjects objects = new NamedObjects();

    GetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    List<String> names() {
        return objects.names();
    }

    @Override
    int run(HubClient hub, FleetEndpoint remote) throws FleetFailure {
        return get(hub, remote, objects.kind());
    }
}
