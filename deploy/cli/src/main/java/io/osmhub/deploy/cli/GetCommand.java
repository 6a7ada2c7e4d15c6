package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.view.ResourceAlias;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

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
class GetCommand extends ListCommand {
    @Parameters(
            index = "0",
            paramLabel = "KIND",
            completionCandidates = ResourceCandidates.class,
            description = "clusters, osps, oscs, mds or problems, or KIND/NAME; singular and short forms are accepted.")
    private String word = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "NAME",
            description = "Show only objects with these names; TENANT/NAME selects the tenant too.")
    private List<String> names = List.of();

    GetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    List<String> names() {
        int slash = word.indexOf('/');
        if (slash < 0) {
            return names;
        }
        // KIND/NAME KIND/NAME, as -o name prints them.
        String kind = word.substring(0, slash + 1);
        return Stream.concat(Stream.of(word), names.stream())
                .map(name -> name.startsWith(kind) ? name.substring(kind.length()) : name)
                .toList();
    }

    @Override
    int run(HubClient hub, FleetEndpoint remote) throws FleetFailure {
        int slash = word.indexOf('/');
        return get(hub, remote, ListableKind.of(ResourceAlias.of(slash < 0 ? word : word.substring(0, slash))));
    }

    /** Shell completion of the resource. */
    static final class ResourceCandidates implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return List.of("clusters", "osps", "oscs", "mds", "problems").iterator();
        }
    }
}
