package io.osmhub.tenancy.catalog;

import io.osmhub.core.problem.Problem;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Extensions by namespace, for {@link TenantProfileCatalog}. Thread-safe. */
public interface ExtensionLister {
    /** Without any extension. */
    ExtensionLister NONE = namespace -> Map.of();

    /** Extensions of one namespace by name. */
    Map<String, StoredExtension> in(String namespace);

    /** Why no extension can be read; empty if they can. */
    default Optional<Problem> unreadable() {
        return Optional.empty();
    }

    /**
     * Proposed changes for a preview; nothing is stored.
     *
     * @param added new ones, replacing stored ones of the same namespace and name
     * @param removed stored ones that count as deleted
     */
    record Proposed(List<StoredExtension> added, Set<ObjectKey> removed) {
        /** No changes. */
        public static final Proposed NONE = new Proposed(List.of(), Set.of());

        public Proposed {
            added = List.copyOf(added);
            removed = Set.copyOf(removed);
        }

        /** The stored extensions with these changes applied. */
        ExtensionLister over(ExtensionLister stored) {
            return equals(NONE)
                    ? stored
                    : new ExtensionLister() {
                        @Override
                        public Map<String, StoredExtension> in(String namespace) {
                            Map<String, StoredExtension> all = new HashMap<>(stored.in(namespace));
                            all.keySet().removeIf(name -> removed.contains(new ObjectKey(namespace, name)));
                            added.stream()
                                    .filter(extension -> extension.namespace().equals(namespace))
                                    .forEach(extension -> all.put(extension.name(), extension));
                            return all;
                        }

                        @Override
                        public Optional<Problem> unreadable() {
                            return stored.unreadable();
                        }
                    };
        }
    }
}
