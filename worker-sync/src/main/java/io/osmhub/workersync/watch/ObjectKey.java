package io.osmhub.workersync.watch;

import java.util.Comparator;

/** {@code namespace} is empty for a cluster-scoped kind. */
public record ObjectKey(String namespace, String name) {
    public static final Comparator<ObjectKey> ORDER =
            Comparator.comparing(ObjectKey::namespace).thenComparing(ObjectKey::name);

    @Override
    public String toString() {
        return namespace.isEmpty() ? name : namespace + "/" + name;
    }
}
