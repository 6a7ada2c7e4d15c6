package io.osmhub.api.access;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The tenants in which a caller may do one thing, as decided at one time. Must not block. */
public interface VisibleTenants {
    /** A caller who sees everything. */
    VisibleTenants EVERYWHERE = new VisibleTenants() {
        @Override
        public boolean includesAll() {
            return true;
        }

        @Override
        public boolean includes(String namespace) {
            return true;
        }
    };

    /**
     * A caller who sees some tenants.
     *
     * @param asked namespaces of all reviewed tenants
     * @param namespaces the visible ones
     */
    record SelectedTenants(Set<String> asked, Set<String> namespaces) implements VisibleTenants {
        @Override
        public boolean includesAll() {
            return false;
        }

        @Override
        public boolean includes(String namespace) {
            return namespaces.contains(namespace);
        }

        @Override
        public boolean covers(String namespace) {
            return asked.contains(namespace);
        }
    }

    /** All, including tenants added later. */
    boolean includesAll();

    /** The tenant of this namespace. */
    boolean includes(String namespace);

    /** Namespaces of the visible tenants; null if unknown, as for a caller who sees everything. */
    default @Nullable Set<String> namespaces() {
        return null;
    }

    /** Whether the tenant of this namespace was reviewed; tenants added or removed later are not. */
    default boolean covers(String namespace) {
        return true;
    }
}
