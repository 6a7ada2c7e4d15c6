package io.osmhub.deploy.run;

import io.osmhub.workersync.watch.ObjectKey;
import java.util.Collections;
import java.util.HashSet;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Namespaces in which there are objects of a kind. The set is the same object until a namespace comes or goes, so that who derives
 * something from it sees at once whether that still holds. Safe for use by many threads.
 */
final class Namespaces {
    private final TreeMap<String, Set<String>> names = new TreeMap<>();
    private @Nullable Set<String> known = Set.of();

    /** An object is there. */
    synchronized void add(ObjectKey key) {
        names.computeIfAbsent(key.namespace(), absent -> {
                    known = null;
                    return new HashSet<>(2);
                })
                .add(key.name());
    }

    /** An object is gone. */
    synchronized void remove(ObjectKey key) {
        Set<String> left = names.get(key.namespace());
        if (left != null && left.remove(key.name()) && left.isEmpty()) {
            names.remove(key.namespace());
            known = null;
        }
    }

    /** In the order of their names; never changed. */
    synchronized Set<String> all() {
        if (known == null) {
            known = Collections.unmodifiableSet(new TreeSet<>(names.keySet()));
        }
        return known;
    }
}
