package io.osmhub.api.paging;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.VisibleTenants;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The rows that one caller may see. */
public final class RowVisibility<R extends TableRow> {
    private final boolean all;
    private final Predicate<R> isVisible;
    private final Predicate<R> mustNotSee;
    private final @Nullable Set<String> namespaces;
    private final @Nullable Caller caller;

    private RowVisibility(
            boolean all,
            Predicate<R> sees,
            Predicate<R> mustNotSee,
            @Nullable Set<String> namespaces,
            @Nullable Caller caller) {
        this.all = all;
        this.isVisible = sees;
        this.mustNotSee = mustNotSee;
        this.namespaces = namespaces;
        this.caller = caller;
    }

    /** Permits all rows of the visible tenants. */
    public static <R extends TableRow> RowVisibility<R> of(VisibleTenants visible) {
        return new RowVisibility<>(
                visible.includesAll(),
                row -> visible.includes(row.namespace()),
                row -> visible.covers(row.namespace()) && !visible.includes(row.namespace()),
                visible.namespaces(),
                visible.caller());
    }

    /** Permits rows by a predicate, evaluated for each row. */
    public static <R extends TableRow> RowVisibility<R> of(boolean all, Predicate<R> rule) {
        return new RowVisibility<>(all, rule, rule.negate(), null, null);
    }

    boolean all() {
        return all;
    }

    /** Namespaces outside of which no row is visible; null if unknown. */
    @Nullable Set<String> namespaces() {
        return namespaces;
    }

    boolean isVisible(R row) {
        return all || isVisible.test(row);
    }

    @Nullable Caller caller() {
        return caller;
    }

    /**
     * Whether the caller may use the result. Rows of deleted tenants are hidden in the caller's own result; another caller's result
     * must be entirely visible.
     */
    boolean canRead(QuerySnapshot<R> result) {
        boolean own = caller != null && caller.equals(result.caller());
        return all || result.rows().stream().noneMatch(own ? mustNotSee : isVisible.negate());
    }
}
