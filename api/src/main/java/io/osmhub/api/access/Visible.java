package io.osmhub.api.access;

import java.util.Set;
import org.jspecify.annotations.Nullable;

/** In which tenants a caller may do one thing, as it was decided at one moment. Asks nobody. */
public interface Visible {
    /** What who may see everything sees. */
    Visible EVERYWHERE = new Visible() {
        @Override
        public boolean all() {
            return true;
        }

        @Override
        public boolean sees(String namespace) {
            return true;
        }
    };

    /**
     * What somebody sees who sees single tenants.
     *
     * @param caller who sees it
     * @param asked namespaces of all tenants that were asked about
     * @param namespaces those of them that it sees
     */
    record Some(@Nullable Caller caller, Set<String> asked, Set<String> namespaces) implements Visible {
        @Override
        public boolean all() {
            return false;
        }

        @Override
        public boolean sees(String namespace) {
            return namespaces.contains(namespace);
        }

        @Override
        public boolean knows(String namespace) {
            return asked.contains(namespace);
        }
    }

    /** Everywhere, also in tenants that come later. */
    boolean all();

    /** In the tenant of this namespace. */
    boolean sees(String namespace);

    /** All that it sees, by their namespaces; null when they are not told apart, as for who sees everything. */
    default @Nullable Set<String> namespaces() {
        return null;
    }

    /** Whose permissions these are; null when that is not known. */
    default @Nullable Caller caller() {
        return null;
    }

    /** Whether this says anything of the tenant of this namespace: one that came later or is gone was not asked for. */
    default boolean knows(String namespace) {
        return true;
    }
}
