package io.osmhub.deploy.cli;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.api.schema.Me;
import io.osmhub.api.schema.Me.Right.Action;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.deploy.cli.ObjectSelection.SelectedObjects;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetListQuery;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.JsonPathTemplate;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.PrintOptions.OutputFormat;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.view.FleetTables;
import io.osmhub.deploy.view.ResourceAlias;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Stack;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.IParameterPreprocessor;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.ArgSpec;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** A verb that lists or watches objects of one kind. */
abstract class ListCommand extends PrintCommand {
    @Mixin
    private final ObjectSelection selection = new ObjectSelection();

    @Option(
            names = "--sort",
            paramLabel = "FIELDS",
            preprocessor = SortOptionPreprocessor.class,
            description = "Sort by API fields; prefix - for descending order.")
    private String sort = "";

    @Option(
            names = "--sort-by",
            paramLabel = "PATH",
            description =
                    "Sort the table by a JSONPath expression, for example .metadata.createdAt, after --sort and --limit.")
    private String sortBy = "";

    @Option(
            names = "--show-labels",
            description = "Add a column with the labels, for kinds that have labels in the API.")
    private boolean showLabels;

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
        return watch && !options.hasTimeout() ? null : super.limit();
    }

    final <T> int get(HubClient hub, FleetEndpoint remote, ListableKind<T> kind) throws FleetFailure {
        if (limit < 0) {
            throw FleetFailure.unusable("--limit " + limit + ": expected a positive number");
        }
        SelectedObjects<T> selected = selection.select(hub, kind, options, remote, names(), sort, limit);
        if (watch) {
            return new ListWatcher<>(this, selected).run();
        }
        List<T> items = list(selected);
        selected.requireNamed(items);
        print(selected, items);
        return ExitCode.OK;
    }

    <T> List<T> list(SelectedObjects<T> selected) throws FleetFailure {
        List<T> items = selected.list();
        if (!sortBy.isEmpty()) {
            sort(items);
        }
        if (selected.kind().noun() == ResourceAlias.MDS && print.format() == OutputFormat.wide && !items.isEmpty()) {
            hashes = ListableKind.CONFIGURATIONS.list(
                    selected.hub(), FleetListQuery.in(selected.query().namespace()));
        }
        return items;
    }

    private <T> void sort(List<T> items) throws FleetFailure {
        JsonPathTemplate path = JsonPathTemplate.parseExpression(sortBy);
        IdentityHashMap<T, JsonNode> keys = new IdentityHashMap<>();
        for (T item : items) {
            keys.put(item, path.first(ObjectPrinter.tree(item)));
        }
        if (!items.isEmpty() && keys.values().stream().allMatch(JsonNode::isMissingNode)) {
            throw FleetFailure.unusable("--sort-by " + sortBy + ": no object has this field; -o yaml shows the fields");
        }
        items.sort(Comparator.comparing(keys::get, JsonPathTemplate::compare));
    }

    private <T> void print(SelectedObjects<T> selected, List<T> items) throws FleetFailure {
        // A template or a program gets the object if it is requested by its name, otherwise a list.
        Object body = names().size() == 1 && items.size() == 1 ? items.getFirst() : ObjectPrinter.list(items);
        if (print.format() == OutputFormat.name) {
            items.forEach(one -> printLine(selected.displayPath(one)));
        } else if (!printStructured(print, body)) {
            if (items.isEmpty()) {
                String namespace = selected.query().namespace();
                printHint("no " + selected.kind().several()
                        + (namespace.isEmpty() ? "" : " in namespace " + namespace + "; use -A for all tenants"));
                if (selected.kind().noun() == ResourceAlias.OSPS
                        && !selected.hub().get(Me.class, "/me").isAllowed(Action.VIEW_SHARED_PROFILES)) {
                    printHint(DoctorCommand.SHARED_HIDDEN);
                }
                return;
            }
            table(selected, items)
                    .lines(print.headers(), colors(), terminal.width())
                    .forEach(this::printLine);
            footer(selected.kind(), items);
        }
    }

    <T> TextTable<T> table(SelectedObjects<T> selected, List<T> items) {
        FleetTables.TableScope shown = new FleetTables.TableScope(
                print.format() == OutputFormat.wide,
                selected.query().namespace().isEmpty(),
                Instant.now(),
                hashes);
        TextTable<T> table = selected.kind().table().apply(items, shown);
        return showLabels ? table.text("LABELS", ListCommand::labels) : table;
    }

    private static String labels(Object item) {
        JsonNode tree = ObjectPrinter.tree(item);
        JsonNode labels = tree.has("metadata") ? tree.at("/metadata/labels") : tree.path("labels");
        List<String> pairs = new ArrayList<>();
        labels.properties()
                .forEach(label ->
                        pairs.add(label.getKey() + "=" + label.getValue().asText()));
        return pairs.isEmpty() ? "<none>" : String.join(",", pairs);
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
