package io.osmhub.api.paging;

import java.util.Comparator;
import java.util.Map;

/** A row of tests. */
record Thing(String namespace, String name, int weight, Map<String, String> labels) implements TableRow {
    Thing(String namespace, String name, int weight) {
        this(namespace, name, weight, Map.of("weight", "w" + weight));
    }

    String key() {
        return namespace + "/" + name;
    }

    @Override
    public long fingerprint() {
        return TableRow.fingerprintOf(namespace, name);
    }

    @Override
    public boolean matchesText(SearchText text) {
        return text.isIn(name) || text.isIn(namespace);
    }

    static SortOrders<Thing> sorts() {
        return new SortOrders<>("namespace,name", Comparator.comparing(Thing::key))
                .by("namespace", Thing::namespace)
                .by("name", Thing::name)
                .by("weight", Thing::weight);
    }
}
