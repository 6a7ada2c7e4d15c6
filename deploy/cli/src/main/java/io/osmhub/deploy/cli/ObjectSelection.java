package io.osmhub.deploy.cli;

import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.deploy.fleet.FleetEndpoint;
import io.osmhub.deploy.fleet.FleetFailure;
import io.osmhub.deploy.fleet.FleetListQuery;
import io.osmhub.deploy.fleet.FleetOptions;
import io.osmhub.deploy.fleet.HubClient;
import io.osmhub.deploy.view.ResourceAlias;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** The options that select objects of one kind. */
final class ObjectSelection {
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

    /** The arguments {@code KIND NAME...} and {@code KIND/NAME...}. */
    static final class NamedObjects {
        @Parameters(
                index = "0",
                paramLabel = "KIND",
                completionCandidates = ResourceCandidates.class,
                description =
                        "clusters, osps, oscs, mds or problems, or KIND/NAME; singular and short forms are accepted.")
        private String word = "";

        @Parameters(
                index = "1..*",
                arity = "0..*",
                paramLabel = "NAME",
                description = "Select only objects with these names; TENANT/NAME selects the tenant too.")
        private List<String> names = List.of();

        ListableKind<?> kind() throws FleetFailure {
            int slash = word.indexOf('/');
            return ListableKind.of(ResourceAlias.of(slash < 0 ? word : word.substring(0, slash)));
        }

        /** Empty for all. */
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
    }

    /**
     * @param names empty for all
     * @param limit 0 for all; only without names
     */
    <T> SelectedObjects<T> select(
            HubClient hub,
            ListableKind<T> kind,
            FleetOptions options,
            FleetEndpoint remote,
            List<String> names,
            String sort,
            int limit)
            throws FleetFailure {
        boolean hasTenants = !names.isEmpty() && names.stream().allMatch(kind::hasTenant);
        String scope = kind == ListableKind.CLUSTERS || hasTenants ? options.namedTenant() : options.scope(remote);
        // A single name is filtered by the server; for several, the whole list is read.
        String text = names.size() == 1 && search.isEmpty() ? lastPart(names.getFirst()) : search;
        return new SelectedObjects<>(
                hub,
                kind,
                names,
                new FleetListQuery(scope, labels, kind.parseFilters(fields), text, sort, names.isEmpty() ? limit : 0));
    }

    private static String lastPart(String name) {
        return name.substring(name.lastIndexOf('/') + 1);
    }

    /**
     * Objects of one kind.
     *
     * @param names empty for all
     */
    record SelectedObjects<T>(HubClient hub, ListableKind<T> kind, List<String> names, FleetListQuery query) {
        List<T> list() throws FleetFailure {
            List<T> items = new ArrayList<>(kind.list(hub, query));
            if (!names.isEmpty()) {
                items.removeIf(one -> !kind.isNamed(one, names));
            }
            return items;
        }

        /** Fails if an object was requested by its name and is not in the list. */
        void requireNamed(List<T> items) throws FleetFailure {
            for (String name : names) {
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

        /** {@code kind/name}, or {@code kind/tenant/name} if there may be several tenants. */
        String displayPath(T one) {
            return query.namespace().isEmpty() ? kind.displayPathWithTenant(one) : kind.displayPath(one);
        }
    }

    /** Shell completion of the resource. */
    static final class ResourceCandidates implements Iterable<String> {
        @Override
        public java.util.Iterator<String> iterator() {
            return List.of("clusters", "osps", "oscs", "mds", "problems").iterator();
        }
    }
}
