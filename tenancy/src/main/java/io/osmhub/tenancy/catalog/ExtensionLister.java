package io.osmhub.tenancy.catalog;

import io.osmhub.core.problem.Problem;
import java.util.Map;
import java.util.Optional;

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
}
