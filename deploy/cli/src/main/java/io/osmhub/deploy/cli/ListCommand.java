package io.osmhub.deploy.cli;

import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetListQuery;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.PrintOptions.OutputFormat;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.view.FleetTables;
import io.osmhub.deploy.view.ResourceAlias;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** A verb that lists or watches objects of one kind. */
abstract class ListCommand extends ReadCommand {
    @Option(
            names = {"-l", "--selector"},
            paramLabel = "LABELS",
            description = "Filter by labels.")
    private String labels = "";

    @Option(
            names = "--field-selector",
            paramLabel = "FIELD=VALUE",
            description = "Filter by API fields, for example state=Degraded,state=Unreachable.")
    private String fields = "";

    @Option(names = "--search", paramLabel = "TEXT", description = "Filter by text in names and labels.")
    private String search = "";

    @Option(
            names = "--sort",
            paramLabel = "FIELDS",
            preprocessor = SortOptionPreprocessor.class,
            description = "Sort by API fields; prefix - for descending order.")
    private String sort = "";

    @Option(names = "--limit", paramLabel = "N", description = "Maximum number of objects (default: all).")
    private int limit;

    @Option(
            names = {"-w", "--watch"},
            description = "Watch for changes.")
    private boolean watch;

    /** Configurations of the listed MachineDeployments, if hashes are shown. */
    private List<Osc> hashes = List.of();

    ListCommand(Terminal terminal) {
        super(terminal);
    }

    /** The requested names; empty for all. */
    List<String> names() {
        return List.of();
    }

    @Override
    boolean runsUntilInterrupted() {
        return watch;
    }

    @Override
    @Nullable Duration limit() throws FleetFailure {
        return watch ? null : super.limit();
    }

    final <T> int get(HubClient hub, FleetEndpoint remote, ListableKind<T> kind) throws FleetFailure {
        String scope = kind == ListableKind.CLUSTERS ? options.namedTenant() : options.scope(remote);
        if (limit < 0) {
            throw FleetFailure.unusable("--limit " + limit + ": expected a positive number");
        }
        Map<String, String> filters = kind.parseFilters(fields);
        // A single name is filtered by the server; for several, the whole list is read.
        String text = names().size() == 1 && search.isEmpty() ? lastPart(names().getFirst()) : search;
        FleetListQuery query = new FleetListQuery(scope, labels, filters, text, sort, names().isEmpty() ? limit : 0);
        if (watch) {
            return new ListWatcher<>(this, hub, kind, query).run();
        }
        List<T> items = list(hub, kind, query);
        requireNamed(hub, kind, query, items);
        print(kind, items, query);
        return ExitCode.OK;
    }

    private static String lastPart(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    <T> List<T> list(HubClient hub, ListableKind<T> kind, FleetListQuery query) throws FleetFailure {
        List<T> items = new ArrayList<>(kind.list(hub, query));
        if (!names().isEmpty()) {
            items.removeIf(one -> !kind.isNamed(one, names()));
        }
        if (kind.noun() == ResourceAlias.MDS && print.format() == OutputFormat.wide && !items.isEmpty()) {
            hashes = ListableKind.CONFIGURATIONS.list(hub, FleetListQuery.in(query.namespace()));
        }
        return items;
    }

    private <T> void requireNamed(HubClient hub, ListableKind<T> kind, FleetListQuery query, List<T> items)
            throws FleetFailure {
        for (String name : names()) {
            if (items.stream().noneMatch(one -> kind.isNamed(one, List.of(name)))) {
                List<String> known = kind.existingNames(hub, query.namespace());
                String where = query.namespace().isEmpty() ? "" : " in namespace " + query.namespace();
                String cure = SpellingSuggestion.findClosest(name, known)
                        .map(near -> "did you mean " + near + "?")
                        .orElse("list all with hub get " + kind.noun().displayName() + " -A");
                throw FleetFailure.notFound("no " + kind.noun().kind() + " " + name + where + "; " + cure);
            }
        }
    }

    private <T> void print(ListableKind<T> kind, List<T> items, FleetListQuery query) {
        switch (print.format()) {
            case json -> printLine(ObjectPrinter.json(ObjectPrinter.list(items)));
            case yaml -> printLine(ObjectPrinter.yaml(ObjectPrinter.list(items)));
            case name -> items.forEach(one -> printLine(kind.displayPath(one)));
            case table, wide -> {
                if (items.isEmpty()) {
                    printHint("no " + kind.several()
                            + (query.namespace().isEmpty()
                                    ? ""
                                    : " in namespace " + query.namespace() + "; use -A for all tenants"));
                    return;
                }
                table(kind, items, query)
                        .lines(print.headers(), colors(), terminal.width())
                        .forEach(this::printLine);
                footer(kind, items);
            }
        }
    }

    <T> TextTable<T> table(ListableKind<T> kind, List<T> items, FleetListQuery query) {
        FleetTables.TableScope shown = new FleetTables.TableScope(
                print.format() == OutputFormat.wide, query.namespace().isEmpty(), Instant.now(), hashes);
        return kind.table().apply(items, shown);
    }

    private <T> void footer(ListableKind<T> kind, List<T> items) {
        if (kind.noun() == ResourceAlias.CLUSTERS) {
            List<WorkerClusterEntry> clusters =
                    items.stream().map(WorkerClusterEntry.class::cast).toList();
            printHint(FleetTables.clusterSummary(clusters));
        } else if (kind.noun() == ResourceAlias.PROBLEMS) {
            printHint(FleetTables.summary(
                    items.stream().map(ProblemEntry.class::cast).toList()));
        }
    }

    /** Accepts any value after {@code --sort}: {@code -name} means descending order and is not an option. */
    static final class SortOptionPreprocessor implements IParameterPreprocessor {
        @Override
        @SuppressWarnings("JdkObsolete") // required by picocli
        public boolean preprocess(Stack<String> words, CommandSpec command, ArgSpec option, Map<String, Object> info) {
            if (words.isEmpty()) {
                return false;
            }
            option.setValue(words.pop());
            return true;
        }
    }
}
