package io.osmhub.deploy.cli;

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
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** A verb that lists one kind of the fleet, all of it or what is asked for, once or as it changes. */
abstract class ListCommand extends ReadCommand {
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

    /** Configurations of the MachineDeployments that are shown, when their hashes are wanted. */
    private List<Osc> hashes = List.of();

    ListCommand(Terminal terminal) {
        super(terminal);
    }

    /** Which ones are wanted; empty for all. */
    List<String> names() {
        return List.of();
    }

    final List<Osc> hashes() {
        return hashes;
    }

    @Override
    boolean follows() {
        return watch;
    }

    @Override
    @Nullable Duration limit() throws FleetFailure {
        return watch ? null : super.limit();
    }

    static Kind<WorkerCluster> clusters() {
        return new Kind<>(
                Noun.CLUSTERS,
                Shelf.CLUSTERS,
                "worker clusters",
                one -> one.metadata().namespace(),
                one -> List.of(one.metadata().name()),
                (items, shown) -> new ClusterTable(items, shown.now()).table(shown.wide()),
                true);
    }

    final <T> int get(FleetSource fleet, Remote remote, Kind<T> kind) throws FleetFailure {
        String scope = kind.allByDefault() ? options.named() : options.scope(remote);
        if (limit < 0) {
            throw new FleetFailure(FleetFailure.Kind.UNUSABLE, "--limit " + limit + " is not a number of objects");
        }
        Map<String, String> filters = Filters.parse(fields, kind.shelf().filters());
        // One name is looked for by whoever has the list; of several everything is read.
        String text = names().size() == 1 && search.isEmpty() ? lastPart(names().getFirst()) : search;
        ListQuery query = new ListQuery(scope, labels, filters, text, sort, names().isEmpty() ? limit : 0);
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
        if (!names().isEmpty()) {
            items.removeIf(one -> !kind.isNamed(one, names()));
        }
        if (kind.noun() == Noun.MDS && print.format() == OutputFormat.wide && !items.isEmpty()) {
            hashes = fleet.list(Shelf.CONFIGURATIONS, ListQuery.in(query.namespace()));
        }
        return items;
    }

    private <T> void requireNamed(FleetSource fleet, Kind<T> kind, ListQuery query, List<T> items) throws FleetFailure {
        for (String name : names()) {
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
}
