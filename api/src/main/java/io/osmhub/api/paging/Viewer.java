package io.osmhub.api.paging;

import io.osmhub.api.access.Visible;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which rows one caller may see. */
public final class Viewer<R extends Row> {
    private final boolean all;
    private final Predicate<R> sees;
    private final @Nullable Set<String> namespaces;

    private Viewer(boolean all, Predicate<R> sees, @Nullable Set<String> namespaces) {
        this.all = all;
        this.sees = sees;
        this.namespaces = namespaces;
    }

    /** Sees all rows of the tenants that it sees. */
    public static <R extends Row> Viewer<R> of(Visible visible) {
        return new Viewer<>(visible.all(), row -> visible.sees(row.namespace()), visible.namespaces());
    }

    /** Sees what the rule says, which is asked for each row. */
    public static <R extends Row> Viewer<R> of(boolean all, Predicate<R> rule) {
        return new Viewer<>(all, rule, null);
    }

    boolean all() {
        return all;
    }

    /** Sees no row of any other tenant; null when that is not known. */
    @Nullable Set<String> namespaces() {
        return namespaces;
    }

    boolean sees(R row) {
        return all || sees.test(row);
    }
}
