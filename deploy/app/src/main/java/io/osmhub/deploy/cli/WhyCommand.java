package io.osmhub.deploy.cli;

import io.osmhub.api.schema.WhyReport;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Suggestion;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetFailure.Kind;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.deploy.view.Noun;
import io.osmhub.deploy.view.WhyLines;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hub why}: why is my node not coming? */
@Command(
        name = "why",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Say why new nodes come or do not come: the first link that is broken, with its cure, and the whole chain from the"
                    + " profile to the machine.",
            "Straight from the management cluster it is told from what is stored; the hub's API also knows machines and tokens."
        },
        customSynopsis = {
            "hub why NAME [OPTIONS]",
            "hub why md NAMESPACE/NAME [OPTIONS]",
            "hub why machine NAMESPACE/NAME [OPTIONS]"
        },
        footer = {
            "",
            "Examples:",
            "  hub why workers-a -n cluster-7xk2m9",
            "  hub why md kube-system/workers-a -n cluster-7xk2m9",
            "  hub why machine kube-system/workers-a-6d9c8f7b5-4xk2l -n cluster-7xk2m9",
            "",
            "Exit codes: 0 new nodes start as wanted, 1 they do not, 3 not found, 4 not allowed, 5 not reachable."
        })
final class WhyCommand extends ReadCommand {
    private static final List<String> MACHINE = List.of("machine", "machines");

    @Parameters(
            arity = "1..2",
            paramLabel = "[md|machine] NAME",
            completionCandidates = Kinds.class,
            description = "The MachineDeployment or the machine. Without its kind, one of that name.")
    private List<String> words = List.of();

    WhyCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    int run(FleetSource fleet, Remote remote) throws FleetFailure {
        if (words.size() > 2) {
            throw new FleetFailure(Kind.UNUSABLE, "one at a time: hub why md " + words.get(1));
        }
        String tenant = options.namespace(remote);
        WhyReport report = report(fleet, tenant);
        String kind = report.subject().kind().equals("Machine") ? "machine" : Noun.MDS.shortForm();
        show(
                report,
                kind + "/" + report.subject().namespace() + "/"
                        + report.subject().name(),
                () -> WhyLines.of(report, colors(), terminal.width()));
        if (Boolean.TRUE.equals(report.stale())) {
            hint(
                    "told from what is stored; a hub (--server) also knows machines, tokens and the connection as it is now");
        }
        return report.newNodes() == NewNodes.CURRENT ? ExitCode.OK : ExitCode.FOUND_SOMETHING;
    }

    private WhyReport report(FleetSource fleet, String tenant) throws FleetFailure {
        try {
            return words.size() == 1
                    ? byName(fleet, tenant, words.getFirst())
                    : byKind(fleet, tenant, words.getFirst().toLowerCase(Locale.ROOT), words.getLast());
        } catch (FleetFailure e) {
            throw e.kind() == Kind.NOT_FOUND ? new FleetFailure(e.kind(), e.text(), fleet.reservations(tenant)) : e;
        }
    }

    private static WhyReport byKind(FleetSource fleet, String tenant, String kind, String name) throws FleetFailure {
        if (MACHINE.contains(kind)) {
            return machine(fleet, tenant, name);
        }
        if (Suggestion.closest(kind, MACHINE).isPresent()) {
            throw new FleetFailure(Kind.UNUSABLE, "nothing is called " + kind + "; did you mean machine?");
        }
        if (Noun.of(kind) != Noun.MDS) {
            throw new FleetFailure(
                    Kind.UNUSABLE,
                    "new nodes are those of a MachineDeployment; hub why md NAMESPACE/NAME, or hub describe " + kind
                            + " " + name);
        }
        return machineDeployment(fleet, tenant, MachineDeploymentName.find(fleet, tenant, name));
    }

    /** A MachineDeployment or, if there is none of that name, a machine. */
    private static WhyReport byName(FleetSource fleet, String tenant, String name) throws FleetFailure {
        Optional<MachineDeploymentName> found = MachineDeploymentName.search(fleet, tenant, name);
        if (found.isPresent()) {
            return machineDeployment(fleet, tenant, found.get());
        }
        Optional<MachineDeploymentName> owner = MachineDeploymentName.ofMachine(fleet, tenant, name);
        if (owner.isPresent()) {
            try {
                return fleet.whyMachine(tenant, owner.get().namespace(), name);
            } catch (FleetFailure e) {
                if (e.kind() != Kind.NOT_FOUND) {
                    throw e;
                }
            }
        }
        throw MachineDeploymentName.missing(tenant, name, MachineDeploymentName.all(fleet, tenant));
    }

    private static WhyReport machineDeployment(FleetSource fleet, String tenant, MachineDeploymentName name)
            throws FleetFailure {
        return found(
                () -> fleet.why(tenant, name.namespace(), name.name()),
                name.path(),
                () -> MachineDeploymentName.all(fleet, tenant));
    }

    private static WhyReport machine(FleetSource fleet, String tenant, String given) throws FleetFailure {
        if (given.contains("/")) {
            MachineDeploymentName machine = MachineDeploymentName.of(given);
            return fleet.whyMachine(tenant, machine.namespace(), machine.name());
        }
        Optional<MachineDeploymentName> owner = MachineDeploymentName.ofMachine(fleet, tenant, given);
        if (owner.isEmpty()) {
            throw new FleetFailure(
                    Kind.NOT_FOUND,
                    "no MachineDeployment of " + tenant + " that machine " + given + " could be of; hub get mds -n "
                            + tenant + " shows all");
        }
        return fleet.whyMachine(tenant, owner.get().namespace(), given);
    }

    /** For completion in a shell. */
    static final class Kinds implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return List.of("md", "machine").iterator();
        }
    }
}
