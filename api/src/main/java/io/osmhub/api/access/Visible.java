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

    /** Everywhere, also in tenants that come later. */
    boolean all();

    /** In the tenant of this namespace. */
    boolean sees(String namespace);

    /** All that it sees, by their namespaces; null when they are not told apart, as for who sees everything. */
    default @Nullable Set<String> namespaces() {
        return null;
    }

    /** Whether this says anything of the tenant of this namespace: one that came later or is gone was not asked for. */
    default boolean knows(String namespace) {
        return true;
    }
}
