package io.osmhub.api.paging;

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
    public boolean matchesText(String text) {
        return name.contains(text) || namespace.contains(text);
    }

    static ListColumns<Thing> columns() {
        return new ListColumns<>("namespace,name", Thing::namespace, Thing::name)
                .sort("namespace", Thing::namespace)
                .sort("name", Thing::name)
                .sort("weight", Thing::weight)
                .filter("weight", (thing, weight) -> weight.equals(String.valueOf(thing.weight())))
                .filter("shade", Shade.class, (thing, shade) -> shade.ordinal() == thing.weight() % 2);
    }

    enum Shade {
        DARK,
        LIGHT
    }
}
