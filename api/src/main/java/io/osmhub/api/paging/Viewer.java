package io.osmhub.api.paging;

import io.osmhub.api.access.Visible;
import java.util.function.Predicate;

/** Which rows one caller may see. */
public final class Viewer<R extends Row> {
    private final boolean all;
    private final Predicate<R> sees;

    private Viewer(boolean all, Predicate<R> sees) {
        this.all = all;
        this.sees = sees;
    }

    /** Sees all rows of the tenants that it sees. */
    public static <R extends Row> Viewer<R> of(Visible visible) {
        return new Viewer<>(visible.all(), row -> visible.sees(row.namespace()));
    }

    /** Sees what the rule says, which is asked for each row. */
    public static <R extends Row> Viewer<R> of(boolean all, Predicate<R> rule) {
        return new Viewer<>(all, rule);
    }

    boolean all() {
        return all;
    }

    boolean sees(R row) {
        return all || sees.test(row);
    }
}
