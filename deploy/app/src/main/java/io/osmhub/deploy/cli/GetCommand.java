package io.osmhub.deploy.cli;

import io.osmhub.api.schema.MachineDeployment;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WorkerCluster;
import io.osmhub.core.problem.Suggestion;
import io.osmhub.deploy.cluster.ClusterTable;
import io.osmhub.deploy.fleet.Filters;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetSource;
import io.osmhub.deploy.fleet.ListQuery;
import io.osmhub.deploy.fleet.OutputFormat;
import io.osmhub.deploy.fleet.Printed;
import io.osmhub.deploy.fleet.Remote;
import io.osmhub.deploy.fleet.Shelf;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.view.Noun;
import io.osmhub.deploy.view.Tables;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
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
final class GetCommand extends ReadCommand {
    @Parameters(
            index = "0",
            paramLabel = "KIND",
            completionCandidates = Nouns.class,
            description = "clusters, osps, oscs, mds or problems; singular and short forms are equal.")
    private String word = "";

    @Parameters(index = "1..*", arity = "0..*", paramLabel = "NAME", description = "Only these.")
    private List<String> names = List.of();

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "LABELS",
            description = "Only those with these labels.")
    private String labels = "";

    @Option(
            names = "--field-selector",
            paramLabel = "FIELD=VALUE",
            description = "Filters of the API, for example state=Degraded,state=Unreachable.")
    private String fields = "";

    @Option(names = "--search", paramLabel = "TEXT", description = "Only those with this text in a name or label.")
    private String search = "";

    @Option(
            names = "--sort",
            paramLabel = "FIELDS",
            preprocessor = SortFields.class,
            description = "Fields of the API, with - in front for the other way.")
    private String sort = "";

    @Option(names = "--limit", paramLabel = "N", description = "Most of them. Default: all.")
    private int limit;

    @Option(
            names = {"-w", "--watch"},
            description = "Go on, and show what changes.")
    private boolean watch;

    GetCommand(Terminal terminal) {
        super(terminal);
    }

    @Override
    @Nullable Duration limit() throws FleetFailure {
        return watch ? null : super.limit();
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

    private static Kind<WorkerCluster> clusters() {
        return new Kind<>(
                Noun.CLUSTERS,
                Shelf.CLUSTERS,
                "worker clusters",
                one -> one.metadata().namespace(),
                one -> List.of(one.metadata().name()),
                (items, shown) -> new ClusterTable(items, shown.now()).table(shown.wide()),
                true);
    }

    private Kind<MachineDeployment> machineDeployments() {
        return new Kind<>(
                Noun.MDS,
                Shelf.MACHINE_DEPLOYMENTS,
                "MachineDeployments",
                MachineDeployment::tenant,
                one -> List.of(one.namespace() + "/" + one.name(), one.name()),
                (items, shown) -> Tables.machineDeployments(items, hashes, shown),
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

    /** Configurations of the MachineDeployments that are shown, when their hashes are wanted. */
    private List<Osc> hashes = List.of();

    private <T> int get(FleetSource fleet, Remote remote, Kind<T> kind) throws FleetFailure {
        String scope = kind.allByDefault() ? options.named() : options.scope(remote);
        if (limit < 0) {
            throw new FleetFailure(FleetFailure.Kind.UNUSABLE, "--limit " + limit + " is no number of objects");
        }
        Map<String, String> filters = Filters.parse(fields, kind.shelf().filters());
        // One name is looked for by whoever has the list; of several everything is read.
        String text = names.size() == 1 && search.isEmpty() ? lastPart(names.getFirst()) : search;
        ListQuery query = new ListQuery(scope, labels, filters, text, sort, names.isEmpty() ? limit : 0);
        if (watch) {
            return new Watching<>(this, fleet, kind, query).run();
        }
        List<T> items = list(fleet, kind, query);
        requireNamed(fleet, kind, query, items);
        print(kind, items, query);
        return ExitCode.OK;
    }

    private static String lastPart(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    <T> List<T> list(FleetSource fleet, Kind<T> kind, ListQuery query) throws FleetFailure {
        List<T> items = new ArrayList<>(fleet.list(kind.shelf(), query));
        if (!names.isEmpty()) {
            items.removeIf(one -> !kind.isNamed(one, names));
        }
        if (kind.noun() == Noun.MDS && print.format() == OutputFormat.wide && !items.isEmpty()) {
            hashes = fleet.list(Shelf.CONFIGURATIONS, ListQuery.in(query.namespace()));
        }
        return items;
    }

    private <T> void requireNamed(FleetSource fleet, Kind<T> kind, ListQuery query, List<T> items) throws FleetFailure {
        for (String name : names) {
            if (items.stream().noneMatch(one -> kind.isNamed(one, List.of(name)))) {
                List<String> known = fleet.list(kind.shelf(), ListQuery.in(query.namespace())).stream()
                        .flatMap(one -> kind.names().apply(one).stream())
                        .distinct()
                        .toList();
                String where = query.namespace().isEmpty() ? "" : " in namespace " + query.namespace();
                String cure = Suggestion.closest(name, known)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("hub get " + kind.noun().word() + " -A shows all");
                throw new FleetFailure(
                        FleetFailure.Kind.NOT_FOUND, "no " + kind.noun().kind() + " " + name + where + "; " + cure);
            }
        }
    }

    private <T> void print(Kind<T> kind, List<T> items, ListQuery query) {
        switch (print.format()) {
            case json -> say(Printed.json(Printed.list(items)));
            case yaml -> say(Printed.yaml(Printed.list(items)));
            case name -> items.forEach(one -> say(kind.path(one)));
            case table, wide -> {
                if (items.isEmpty()) {
                    hint("no " + kind.several()
                            + (query.namespace().isEmpty()
                                    ? ""
                                    : " in namespace " + query.namespace() + "; -A shows those of all tenants"));
                    return;
                }
                table(kind, items, query)
                        .lines(print.headers(), colors(), terminal.width())
                        .forEach(this::say);
                footer(kind, items);
            }
        }
    }

    <T> TextTable table(Kind<T> kind, List<T> items, ListQuery query) {
        Tables.Shown shown = new Tables.Shown(
                print.format() == OutputFormat.wide, query.namespace().isEmpty(), Instant.now());
        return kind.table().apply(items, shown);
    }

    private <T> void footer(Kind<T> kind, List<T> items) {
        if (kind.noun() == Noun.CLUSTERS) {
            List<WorkerCluster> clusters =
                    items.stream().map(WorkerCluster.class::cast).toList();
            hint(new ClusterTable(clusters, Instant.now()).summary());
        } else if (kind.noun() == Noun.PROBLEMS) {
            hint(Tables.summary(items.stream().map(ProblemEntry.class::cast).toList()));
        }
    }

    /** For completion in a shell. */
    static final class Nouns implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return List.of("clusters", "osps", "oscs", "mds", "problems").iterator();
        }
    }
}
