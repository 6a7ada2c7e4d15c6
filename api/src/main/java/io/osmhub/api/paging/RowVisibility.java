package io.osmhub.api.paging;

import io.osmhub.api.access.VisibleTenants;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The rows that one caller may see.
 *
 * @param all every row; {@code rule} is not evaluated
 * @param namespaces outside of which no row is visible; null if unknown
 */
public record RowVisibility<R extends TableRow>(
        boolean all, Predicate<R> rule, @Nullable Set<String> namespaces) {
    /** Permits all rows of the visible tenants. */
    public static <R extends TableRow> RowVisibility<R> of(VisibleTenants visible) {
        return new RowVisibility<>(
                visible.includesAll(), row -> visible.includes(row.namespace()), visible.namespaces());
    }

    boolean isVisible(R row) {
        return all || rule.test(row);
    }
}
