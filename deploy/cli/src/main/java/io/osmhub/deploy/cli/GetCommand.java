package io.osmhub.deploy.cli;

import io.osmhub.api.schema.Me;
import io.osmhub.api.schema.Me.Right.Action;
import io.osmhub.api.schema.Osc;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.WorkerClusterEntry;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.fleet.CommandFailure;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.fleet.HubClient.FleetListQuery;
import io.osmhub.deploy.fleet.ObjectPrinter;
import io.osmhub.deploy.fleet.PrintOptions.OutputFormat;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.view.FleetTables;
import io.osmhub.deploy.view.ResourceAlias;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Iterator;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code hub get}: lists or watches objects of the fleet. */
@Command(
        name = "get",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = {
            "List worker clusters, profiles, configurations, MachineDeployments, open problems, their causes, or a tenant's settings.",
            "Values known only to the replica that serves a tenant are shown as ? if another replica responds."
        },
        footer = {
            "",
            "Examples:",
            "  hub get clusters",
            "  hub get causes",
            "  hub get mds -n cluster-7xk2m9 -o wide",
            "  hub get mds -A -o json | jq -r '.items[] | select(.newNodes == \"Blocked\") | .name'",
            "  hub get problems -A -w",
            "  hub get settings pauseImage -n cluster-7xk2m9",
            "",
            "Exit codes: 0 done, 2 unusable flags, 3 not found, 4 not allowed, 5 not reachable."
        })
final class GetCommand extends PrintCommand {
    private static final String SHARED_HIDDEN =
            "you may not view the shared profiles; ask a cluster administrator for a"
                    + " RoleBinding to osmhub.io:profile-reader in their namespace (chart value profiles.readers)";

    @Parameters(
            index = "0",
            paramLabel = "KIND",
            completionCandidates = KindCandidates.class,
            description =
                    "clusters, osps, oscs, mds, problems, causes or settings, or KIND/NAME; singular and short forms are accepted.")
    private String word = "";

    @Parameters(
            index = "1..*",
            arity = "0..*",
            paramLabel = "NAME",
            description = "Select only objects with these names; TENANT/NAME selects the tenant too.")
    private List<String> words = List.of();

    @Option(
            names = {"-l", "--selector"},
            paramLabel = "LABELS",
            description = "Filter by labels.")
    private String labels = "";

    @Option(
            names = {"-w", "--watch"},
            description = "Watch for changes.")
    private boolean watch;

    /** Configurations of the listed MachineDeployments, if hashes are shown. */
    private List<Osc> hashes = List.of();

    /** Shell completion of the kind. */
    static final class KindCandidates implements Iterable<String> {
        @Override
        public Iterator<String> iterator() {
            return Arrays.stream(ResourceAlias.values())
                    .map(ResourceAlias::displayName)
                    .iterator();
        }
    }

    @Override
    boolean runsUntilInterrupted() {
        return watch;
    }

    @Override
    @Nullable Duration limit() {
        return watch && !options.hasTimeout() ? null : super.limit();
    }

    @Override
    int run(HubClient hub, FleetEndpoint remote) {
        int slash = word.indexOf('/');
        return get(hub, remote, ListableKind.of(ResourceAlias.of(slash < 0 ? word : word.substring(0, slash))));
    }

    private <T> int get(HubClient hub, FleetEndpoint remote, ListableKind<T> kind) {
        if (!labels.isEmpty() && !kind.hasLabels()) {
            throw CommandFailure.unusable("-l has no effect: " + kind.several() + " have no labels; omit it");
        }
        SelectedObjects<T> selected = select(hub, remote, kind);
        if (watch) {
            return new ListWatcher<>(this, selected).run();
        }
        List<T> items = list(selected);
        selected.requireNamed(items);
        print(selected, items);
        return ExitCode.OK;
    }

    private <T> SelectedObjects<T> select(HubClient hub, FleetEndpoint remote, ListableKind<T> kind) {
        List<String> names = names();
        boolean hasTenants = !names.isEmpty() && names.stream().allMatch(kind::hasTenant);
        String scope = kind.isFleetWide() || hasTenants ? options.namedTenant() : options.scope(remote);
        // A single name is filtered by the server; for several, the whole list is read.
        String text =
                names.size() == 1 ? names.getFirst().substring(names.getFirst().lastIndexOf('/') + 1) : "";
        return new SelectedObjects<>(hub, kind, names, new FleetListQuery(scope, labels, text));
    }

    /** The requested names, also of {@code KIND/NAME KIND/NAME} as {@code -o name} prints them; empty for all. */
    private List<String> names() {
        int slash = word.indexOf('/');
        if (slash < 0) {
            return words;
        }
        String kind = word.substring(0, slash + 1);
        return Stream.concat(Stream.of(word), words.stream())
                .map(name -> name.startsWith(kind) ? name.substring(kind.length()) : name)
                .toList();
    }

    <T> List<T> list(SelectedObjects<T> selected) {
        List<T> items = selected.list();
        if (selected.kind().noun() == ResourceAlias.MDS && print.format() == OutputFormat.wide && !items.isEmpty()) {
            hashes = ListableKind.CONFIGURATIONS.list(
                    selected.hub(), FleetListQuery.in(selected.query().namespace()));
        }
        return items;
    }

    private <T> void print(SelectedObjects<T> selected, List<T> items) {
        // A program gets the object if it is requested by its name, otherwise a list.
        Object body = selected.names().size() == 1 && items.size() == 1 ? items.getFirst() : ObjectPrinter.list(items);
        if (print.format() == OutputFormat.name) {
            items.forEach(one -> printLine(selected.displayPath(one)));
        } else if (!printStructured(print, body)) {
            if (items.isEmpty()) {
                String namespace = selected.query().namespace();
                printHint("no " + selected.kind().several()
                        + (namespace.isEmpty() ? "" : " in namespace " + namespace + "; use -A for all tenants"));
                if (selected.kind().noun() == ResourceAlias.OSPS
                        && !selected.hub().get(Me.class, "/me").isAllowed(Action.VIEW_SHARED_PROFILES)) {
                    printHint(SHARED_HIDDEN);
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
        return selected.kind().table().apply(items, shown);
    }

    private <T> void footer(ListableKind<T> kind, List<T> items) {
        if (kind.noun() == ResourceAlias.CLUSTERS) {
            printHint(FleetTables.clusterSummary(
                    items.stream().map(WorkerClusterEntry.class::cast).toList()));
        } else if (kind.noun() == ResourceAlias.PROBLEMS) {
            printHint(FleetTables.summary(
                    items.stream().map(ProblemEntry.class::cast).toList()));
        }
    }

    /**
     * Objects of one kind.
     *
     * @param names empty for all
     */
    record SelectedObjects<T>(HubClient hub, ListableKind<T> kind, List<String> names, FleetListQuery query) {
        List<T> list() {
            List<T> items = new ArrayList<>(kind.list(hub, query));
            if (!names.isEmpty()) {
                items.removeIf(one -> !kind.isNamed(one, names));
            }
            return items;
        }

        /** Fails if an object was requested by its name and is not in the list. */
        void requireNamed(List<T> items) {
            for (String name : names) {
                if (items.stream().noneMatch(one -> kind.isNamed(one, List.of(name)))) {
                    List<String> known = kind.existingNames(hub, query.namespace());
                    String where = query.namespace().isEmpty() ? "" : " in namespace " + query.namespace();
                    String cure = SpellingSuggestion.findClosest(name, known)
                            .map(near -> "did you mean " + near + "?")
                            .orElse("list all with hub get " + kind.noun().displayName()
                                    + (kind.noun() == ResourceAlias.SETTINGS ? " -n " + query.namespace() : " -A"));
                    throw CommandFailure.notFound("no " + kind.noun().kind() + " " + name + where + "; " + cure);
                }
            }
        }

        /** {@code kind/name}, or {@code kind/tenant/name} if there may be several tenants. */
        String displayPath(T one) {
            return query.namespace().isEmpty() ? kind.displayPathWithTenant(one) : kind.displayPath(one);
        }
    }
}
