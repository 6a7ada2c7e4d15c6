package io.osmhub.deploy.run;

import io.osmhub.workersync.watch.ObjectKey;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Namespaces with objects of one kind. Returns the same set until a namespace is added or removed, so that callers can detect
 * changes by identity. Thread-safe.
 */
final class NamespaceIndex {
    private final TreeMap<String, Set<String>> names = new TreeMap<>();
    private @Nullable Set<String> known = Set.of();

    synchronized void add(ObjectKey key) {
        names.computeIfAbsent(key.namespace(), absent -> {
                    known = null;
                    return new HashSet<>(2);
                })
                .add(key.name());
    }

    synchronized void remove(ObjectKey key) {
        Set<String> left = names.get(key.namespace());
        if (left != null && left.remove(key.name()) && left.isEmpty()) {
            names.remove(key.namespace());
            known = null;
        }
    }

    /** Sorted by name; immutable. */
    synchronized Set<String> all() {
        if (known == null) {
            known = Collections.unmodifiableSet(new TreeSet<>(names.keySet()));
        }
        return known;
    }
}
