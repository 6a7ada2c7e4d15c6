package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.FleetCollection;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.view.FleetTables;
import io.osmhub.deploy.view.ResourceAlias;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How to request and print a list.
 *
 * @param several plural noun, for {@code no ... found}
 * @param tenant namespace of an object in the management cluster; empty if it belongs to no tenant
 * @param names accepted names of an object; the first for {@code kind/name}
 * @param allByDefault whether all tenants are listed by default
 */
record ListableKind<T>(
        ResourceAlias noun,
        FleetCollection<T> shelf,
        String several,
        Function<T, String> tenant,
        Function<T, List<String>> names,
        BiFunction<List<T>, FleetTables.TableScope, TextTable> table,
        boolean allByDefault) {
    /** As {@code -o name} prints it. */
    String path(T one) {
        String name = names.apply(one).getFirst();
        return noun == ResourceAlias.PROBLEMS ? name : noun.shortForm() + "/" + name;
    }

    /** Unique key across tenants. */
    String key(T one) {
        return tenant.apply(one) + " " + names.apply(one);
    }

    boolean isNamed(T one, List<String> wanted) {
        return names.apply(one).stream().anyMatch(wanted::contains);
    }
}
