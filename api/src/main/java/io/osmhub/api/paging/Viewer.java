package io.osmhub.api.paging;

import io.osmhub.api.access.Caller;
import io.osmhub.api.access.Visible;
import java.util.Set;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Which rows one caller may see. */
public final class Viewer<R extends Row> {
    private final boolean all;
    private final Predicate<R> sees;
    private final Predicate<R> mustNotSee;
    private final @Nullable Set<String> namespaces;
    private final @Nullable Caller caller;

    private Viewer(
            boolean all,
            Predicate<R> sees,
            Predicate<R> mustNotSee,
            @Nullable Set<String> namespaces,
            @Nullable Caller caller) {
        this.all = all;
        this.sees = sees;
        this.mustNotSee = mustNotSee;
        this.namespaces = namespaces;
        this.caller = caller;
    }

    /** Sees all rows of the tenants that it sees. */
    public static <R extends Row> Viewer<R> of(Visible visible) {
        return new Viewer<>(
                visible.all(),
                row -> visible.sees(row.namespace()),
                row -> visible.knows(row.namespace()) && !visible.sees(row.namespace()),
                visible.namespaces(),
                visible.caller());
    }

    /** Sees what the rule says, which is asked for each row. */
    public static <R extends Row> Viewer<R> of(boolean all, Predicate<R> rule) {
        return new Viewer<>(all, rule, rule.negate(), null, null);
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

    @Nullable Caller caller() {
        return caller;
    }

    /**
     * Whether nothing in the result is kept from this caller. In a result of their own, a row of a tenant that is gone by now is only
     * not seen; another caller's must be seen as a whole.
     */
    boolean mayHave(Result<R> result) {
        boolean own = caller != null && caller.equals(result.caller());
        return all || result.rows().stream().noneMatch(own ? mustNotSee : sees.negate());
    }
}
