package io.osmhub.deploy.cli;

import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.deploy.fleet.FleetCollection;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.view.FleetTables;
import io.osmhub.deploy.view.ResourceAlias;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hub get}: lists objects of the fleet. */
@Command(
        name = "get",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "List worker clusters, profiles, configurations, MachineDeployments or open problems.",
            "Uses the hub's API, or the management cluster directly with your own permissions; values known only to the"
                    + " serving hub are then shown as ?."
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
final class GetCommand extends ListCommand {
    @Parameters(
            index = "0",
            paramLabel = "KIND",
            completionCandidates = ResourceCandidates.class,
            description = "clusters, osps, oscs, mds or problems; singular and short forms are accepted.")
    private String word = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "NAME",
            description = "Show only objects with these names.")
    private List<String> names = List.of();

    GetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    List<String> names() {
        return names;
    }

    @Override
    int run(FleetSource fleet, FleetEndpoint remote) throws FleetFailure {
        return switch (ResourceAlias.of(word)) {
            case CLUSTERS -> get(fleet, remote, clusters());
            case OSPS ->
                get(
                        fleet,
                        remote,
                        new ListableKind<>(
                                ResourceAlias.OSPS,
                                FleetCollection.PROFILES,
                                "profiles",
                                one -> one.metadata().namespace(),
                                one -> List.of(one.metadata().name()),
                                FleetTables::profiles,
                                false));
            case OSCS ->
                get(
                        fleet,
                        remote,
                        new ListableKind<>(
                                ResourceAlias.OSCS,
                                FleetCollection.CONFIGURATIONS,
                                "configurations",
                                one -> one.metadata().namespace(),
                                one -> List.of(one.metadata().name()),
                                FleetTables::configurations,
                                false));
            case MDS -> get(fleet, remote, machineDeployments());
            case PROBLEMS -> get(fleet, remote, problems());
        };
    }

    private ListableKind<MachineDeploymentEntry> machineDeployments() {
        return new ListableKind<>(
                ResourceAlias.MDS,
                FleetCollection.MACHINE_DEPLOYMENTS,
                "MachineDeployments",
                MachineDeploymentEntry::tenant,
                one -> List.of(one.namespace() + "/" + one.name(), one.name()),
                (items, shown) -> FleetTables.machineDeployments(items, hashes(), shown),
                false);
    }

    private static ListableKind<ProblemEntry> problems() {
        return new ListableKind<>(
                ResourceAlias.PROBLEMS,
                FleetCollection.PROBLEMS,
                "open problems",
                one -> Objects.requireNonNullElse(one.tenant(), ""),
                one -> List.of(
                        FleetTables.object(one),
                        one.reason().wireName(),
                        one.object() == null ? "" : one.object().name()),
                FleetTables::problems,
                false);
    }

    /** Shell completion of the resource. */
    static final class ResourceCandidates implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return List.of("clusters", "osps", "oscs", "mds", "problems").iterator();
        }
    }
}
