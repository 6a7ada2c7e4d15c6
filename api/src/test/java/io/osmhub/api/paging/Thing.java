package io.osmhub.api.paging;

import java.util.Comparator;
import java.util.Map;

/** A row of tests. */
record Thing(String namespace, String name, int weight, Map<String, String> labels) implements Row {
    Thing(String namespace, String name, int weight) {
        this(namespace, name, weight, Map.of("weight", "w" + weight));
    }

    String key() {
        return namespace + "/" + name;
    }

    @Override
    public long fingerprint() {
        return Row.fingerprintOf(namespace, name);
    }

    @Override
    public boolean mentions(SearchText text) {
        return text.isIn(name) || text.isIn(namespace);
    }

    static Sorts<Thing> sorts() {
        return new Sorts<>("namespace,name", Comparator.comparing(Thing::key))
                .by("namespace", Thing::namespace)
                .by("name", Thing::name)
                .by("weight", Thing::weight);
    }
}
