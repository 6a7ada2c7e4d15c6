package io.osmhub.deploy.cli;

import io.osmhub.deploy.fleet.Shelf;
import io.osmhub.deploy.fleet.TextTable;
import io.osmhub.deploy.view.Noun;
import io.osmhub.deploy.view.Tables;
import java.util.List;
import java.util.function.BiFunction;
import java.util.function.Function;

/**
 * How a list is got and shown.
 *
 * @param several what several are called, for {@code no ... found}
 * @param tenant namespace in the management cluster of one; empty when it is no tenant's
 * @param names by which one may be named; the first for {@code kind/name}
 * @param allByDefault without a tenant all of them are meant
 */
record Kind<T>(
        Noun noun,
        Shelf<T> shelf,
        String several,
        Function<T, String> tenant,
        Function<T, List<String>> names,
        BiFunction<List<T>, Tables.Shown, TextTable> table,
        boolean allByDefault) {
    /** As {@code -o name} prints it. */
    String path(T one) {
        String name = names.apply(one).getFirst();
        return noun == Noun.PROBLEMS ? name : noun.shortForm() + "/" + name;
    }

    /** Which one it is, among those of all tenants. */
    String key(T one) {
        return tenant.apply(one) + " " + names.apply(one);
    }

    boolean isNamed(T one, List<String> wanted) {
        return names.apply(one).stream().anyMatch(wanted::contains);
    }
}
