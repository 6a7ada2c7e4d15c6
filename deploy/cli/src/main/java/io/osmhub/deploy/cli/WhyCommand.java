package io.osmhub.deploy.cli;

import io.osmhub.api.diagnosis.WhyReportText;
import io.osmhub.api.schema.MachineDeploymentEntry;
import io.osmhub.api.schema.MachineDeploymentEntry.MachineDeploymentIdentity;
import io.osmhub.api.schema.WhyReport;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.CommandFailure.CommandFailureKind;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.HubClient.FleetListQuery;
import io.osmhub.deploy.fleet.TerminalSanitizer;
import io.osmhub.deploy.fleet.TextTable.CellStyle;
import io.osmhub.deploy.view.ResourceAlias;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code hub why}: explains why new nodes are or are not joining. */
@Command(
        name = "why",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "Explain why new nodes are or are not joining: the first failed step with its fix, and all steps from the"
                    + " profile to the machine."
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
            "Exit codes: 0 new nodes start, 1 new nodes do not start, 3 not found, 4 not allowed, 5 not reachable."
        })
final class WhyCommand extends PrintCommand {
    private static final List<String> MACHINE = List.of("machine", "machines");

    /** Used if the width is unknown. */
    private static final int USUAL_WIDTH = 100;

    private static final int LEAST_WIDTH = 40;
    private static final Map<String, CellStyle> STATES = Map.of(
            "  ok ", CellStyle.GOOD,
            "  BROKEN ", CellStyle.BAD,
            "  older ", CellStyle.WARNING,
            "  waits ", CellStyle.WARNING,
            "  ? ", CellStyle.FAINT);

    @Parameters(
            arity = "1..2",
            paramLabel = "[md|machine] NAME",
            completionCandidates = KindCandidates.class,
            description =
                    "The MachineDeployment or machine; the kind may be omitted, and TENANT/NAMESPACE/NAME selects the tenant.")
    private List<String> words = List.of();

    @Override
    int run(HubClient hub, FleetEndpoint remote) {
        print.rejectListOptions();
        if (words.size() > 2) {
            throw CommandFailure.unusable("expected one name: hub why md " + words.get(1));
        }
        WhyTarget target = WhyTarget.of(words);
        if (options.all() && !target.tenant().isEmpty()) {
            throw CommandFailure.unusable("-A is not supported for one object; omit it");
        }
        String tenant = target.tenant().isEmpty() ? options.namespace(remote) : target.tenant();
        String named = options.namedTenant();
        if (!named.isEmpty() && !named.equals(tenant)) {
            throw CommandFailure.unusable("-n " + named + " is not the tenant of " + words.getLast() + "; omit -n");
        }
        WhyReport report = target.kind().isEmpty()
                ? byName(hub, tenant, target.name())
                : byKind(hub, tenant, target.kind(), target.name());
        String kind = report.subject().kind().equals("Machine") ? "machine" : ResourceAlias.MDS.shortForm();
        printObject(
                report,
                kind + "/" + report.subject().namespace() + "/"
                        + report.subject().name(),
                () -> lines(report, colors(), terminal.width()));
        if (report.unansweredBy() != null) {
            printHint("based on stored state: replica " + report.unansweredBy()
                    + " of the hub serves this tenant and did not answer");
        }
        return report.newNodes() == NewNodes.CURRENT ? ExitCode.OK : ExitCode.FOUND_SOMETHING;
    }

    /** @param width of the terminal; 0 if unknown */
    private static List<String> lines(WhyReport report, boolean colors, int width) {
        return WhyReportText.lines(report, width == 0 ? USUAL_WIDTH : Math.max(LEAST_WIDTH, width)).stream()
                .map(TerminalSanitizer::sanitizeLine)
                .map(line -> colors ? painted(line) : line)
                .toList();
    }

    private static String painted(String line) {
        for (Map.Entry<String, CellStyle> state : STATES.entrySet()) {
            String word = state.getKey();
            if (line.startsWith(word)) {
                return "  " + state.getValue().colorize(word.strip())
                        + line.substring(word.stripTrailing().length());
            }
        }
        return line;
    }

    /** The object; {@code kind} and {@code tenant} are empty if not given. */
    private record WhyTarget(String kind, String tenant, String name) {
        /** Parses {@code KIND NAME}, or {@code KIND/NAME} as {@code -o name} prints it. */
        static WhyTarget of(List<String> words) {
            String name = words.getLast();
            String kind = words.size() == 1 ? "" : words.getFirst().toLowerCase(Locale.ROOT);
            int slash = name.indexOf('/');
            if (kind.isEmpty() && slash > 0 && isKind(name.substring(0, slash))) {
                kind = name.substring(0, slash).toLowerCase(Locale.ROOT);
                name = name.substring(slash + 1);
            }
            if (!ListableKind.MACHINE_DEPLOYMENTS.hasTenant(name)) {
                return new WhyTarget(kind, "", name);
            }
            int end = name.indexOf('/');
            return new WhyTarget(kind, name.substring(0, end), name.substring(end + 1));
        }

        private static boolean isKind(String word) {
            return MACHINE.contains(word.toLowerCase(Locale.ROOT)) || ResourceAlias.MDS.isNamed(word);
        }
    }

    private static WhyReport byKind(HubClient hub, String tenant, String kind, String name) {
        if (MACHINE.contains(kind)) {
            return machine(hub, tenant, name);
        }
        if (SpellingSuggestion.findClosest(kind, MACHINE).isPresent()) {
            throw CommandFailure.unusable("unknown kind \"" + kind + "\"; did you mean machine?");
        }
        if (ResourceAlias.of(kind) != ResourceAlias.MDS) {
            throw CommandFailure.unusable(
                    "expected a MachineDeployment or machine; use hub why md NAMESPACE/NAME, or kubectl describe "
                            + kind + " " + name);
        }
        return machineDeployment(hub, tenant, MachineDeploymentArgument.find(hub, tenant, name));
    }

    /** Finds a MachineDeployment or, if there is none of that name, a machine. */
    private static WhyReport byName(HubClient hub, String tenant, String name) {
        Optional<MachineDeploymentArgument> found = MachineDeploymentArgument.search(hub, tenant, name);
        if (found.isPresent()) {
            return machineDeployment(hub, tenant, found.get());
        }
        Optional<MachineDeploymentArgument> owner = MachineDeploymentArgument.ofMachine(hub, tenant, name);
        if (owner.isPresent()) {
            try {
                return hub.whyMachine(tenant, owner.get().namespace(), name);
            } catch (CommandFailure e) {
                if (e.kind() != CommandFailureKind.NOT_FOUND) {
                    throw e;
                }
            }
        }
        throw MachineDeploymentArgument.missing(tenant, name, MachineDeploymentArgument.all(hub, tenant));
    }

    private static WhyReport machineDeployment(HubClient hub, String tenant, MachineDeploymentArgument name) {
        try {
            return hub.why(tenant, name.namespace(), name.name());
        } catch (CommandFailure e) {
            if (e.kind() != CommandFailureKind.NOT_FOUND || e.text().contains("did you mean")) {
                throw e;
            }
            String near = SpellingSuggestion.findClosest(name.path(), MachineDeploymentArgument.all(hub, tenant))
                    .orElse("");
            throw near.isEmpty() ? e : CommandFailure.notFound(e.text() + "; did you mean " + near + "?");
        }
    }

    private static WhyReport machine(HubClient hub, String tenant, String given) {
        if (given.contains("/")) {
            MachineDeploymentArgument machine = MachineDeploymentArgument.of(given);
            return hub.whyMachine(tenant, machine.namespace(), machine.name());
        }
        Optional<MachineDeploymentArgument> owner = MachineDeploymentArgument.ofMachine(hub, tenant, given);
        if (owner.isEmpty()) {
            throw CommandFailure.notFound("no MachineDeployment found for machine " + given + " in namespace " + tenant
                    + "; list all with hub get mds -n " + tenant);
        }
        return hub.whyMachine(tenant, owner.get().namespace(), given);
    }

    /** Shell completion of the kind. */
    static final class KindCandidates implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return List.of("md", "machine").iterator();
        }
    }

    /** A MachineDeployment argument: NAMESPACE/NAME in the worker cluster, or NAME if unique. */
    private record MachineDeploymentArgument(String namespace, String name) {
        /** Parses {@code NAMESPACE/NAME}. */
        static MachineDeploymentArgument of(String path) {
            int slash = path.indexOf('/');
            if (slash < 1 || slash == path.length() - 1 || path.indexOf('/', slash + 1) >= 0) {
                throw CommandFailure.unusable("\"" + path + "\": expected NAMESPACE/NAME");
            }
            return new MachineDeploymentArgument(path.substring(0, slash), path.substring(slash + 1));
        }

        /** All paths of a tenant. */
        static List<String> all(HubClient hub, String tenant) {
            return ListableKind.MACHINE_DEPLOYMENTS.list(hub, FleetListQuery.in(tenant)).stream()
                    .map(one -> one.identity().path())
                    .toList();
        }

        /** Finds the MachineDeployment; without a namespace, in all namespaces of the worker cluster. */
        static MachineDeploymentArgument find(HubClient hub, String tenant, String given) {
            Optional<MachineDeploymentArgument> found = search(hub, tenant, given);
            if (found.isEmpty()) {
                throw missing(tenant, given, all(hub, tenant));
            }
            return found.get();
        }

        /** Empty if not found. */
        static Optional<MachineDeploymentArgument> search(HubClient hub, String tenant, String given) {
            if (given.contains("/")) {
                return Optional.of(of(given));
            }
            List<MachineDeploymentIdentity> same =
                    ListableKind.MACHINE_DEPLOYMENTS.list(hub, new FleetListQuery(tenant, "", given)).stream()
                            .map(MachineDeploymentEntry::identity)
                            .filter(one -> one.name().equals(given))
                            .toList();
            if (same.size() > 1) {
                String paths = same.stream()
                        .map(MachineDeploymentIdentity::path)
                        .sorted()
                        .collect(Collectors.joining(", "));
                throw CommandFailure.unusable(
                        given + " matches " + same.size() + " MachineDeployments; use one of: " + paths);
            }
            return same.stream().findFirst().map(one -> new MachineDeploymentArgument(one.namespace(), one.name()));
        }

        /** Finds the MachineDeployment of a machine: its name is a prefix of the machine's. */
        static Optional<MachineDeploymentArgument> ofMachine(HubClient hub, String tenant, String machine) {
            return ListableKind.MACHINE_DEPLOYMENTS.list(hub, FleetListQuery.in(tenant)).stream()
                    .map(MachineDeploymentEntry::identity)
                    .filter(one -> machine.startsWith(one.name() + "-"))
                    .max(Comparator.comparingInt(one -> one.name().length()))
                    .map(one -> new MachineDeploymentArgument(one.namespace(), one.name()));
        }

        static CommandFailure missing(String tenant, String given, List<String> paths) {
            List<String> names = paths.stream()
                    .map(path -> path.substring(path.indexOf('/') + 1))
                    .toList();
            String cure = SpellingSuggestion.findClosest(given, names)
                    .map(near -> "did you mean " + near + "?")
                    .orElse("list all with hub get mds -n " + tenant + "; the hub ignores one without annotation "
                            + MachineDeployment.PROFILE);
            return CommandFailure.notFound("no MachineDeployment " + given + " in namespace " + tenant + "; " + cure);
        }

        String path() {
            return namespace + "/" + name;
        }
    }
}
