package io.osmhub.deploy.cli;

import io.osmhub.api.schema.MachineDeployment;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.deploy.fleet.Shelf;
import io.osmhub.deploy.view.Noun;
import io.osmhub.deploy.view.Tables;
import java.util.List;
import java.util.Objects;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hub get}: lists of the fleet. */
@Command(
        name = "get",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "List worker clusters, profiles, configurations, MachineDeployments or open problems.",
            "Through the hub's API, or straight from the management cluster with your own rights; what only the"
                    + " serving hub knows is then shown as ?."
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
            completionCandidates = Nouns.class,
            description = "clusters, osps, oscs, mds or problems; singular and short forms are equal.")
    private String word = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "NAME", description = "Only these.")
    private List<String> names = List.of();

    GetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    List<String> names() {
        return names;
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        return switch (Noun.of(word)) {
            case CLUSTERS -> get(fleet, remote, clusters());
            case OSPS ->
                get(
                        fleet,
                        remote,
                        new Kind<>(
                                Noun.OSPS,
                                Shelf.PROFILES,
                                "profiles",
                                one -> one.metadata().namespace(),
                                one -> List.of(one.metadata().name()),
                                Tables::profiles,
                                false));
            case OSCS ->
                get(
                        fleet,
                        remote,
                        new Kind<>(
                                Noun.OSCS,
                                Shelf.CONFIGURATIONS,
                                "configurations",
                                one -> one.metadata().namespace(),
                                one -> List.of(one.metadata().name()),
                                Tables::configurations,
                                false));
            case MDS -> get(fleet, remote, machineDeployments());
            case PROBLEMS -> get(fleet, remote, problems());
        };
    }

    private Kind<MachineDeployment> machineDeployments() {
        return new Kind<>(
                Noun.MDS,
                Shelf.MACHINE_DEPLOYMENTS,
                "MachineDeployments",
                MachineDeployment::tenant,
                one -> List.of(one.namespace() + "/" + one.name(), one.name()),
                (items, shown) -> Tables.machineDeployments(items, hashes(), shown),
                false);
    }

    private static Kind<ProblemEntry> problems() {
        return new Kind<>(
                Noun.PROBLEMS,
                Shelf.PROBLEMS,
                "open problems",
                one -> Objects.requireNonNullElse(one.tenant(), ""),
                one -> List.of(
                        Tables.object(one),
                        one.reason().word(),
                        one.object() == null ? "" : one.object().name()),
                Tables::problems,
                false);
    }

    /** For completion in a shell. */
    static final class Nouns implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return List.of("clusters", "osps", "oscs", "mds", "problems").iterator();
        }
    }
}
