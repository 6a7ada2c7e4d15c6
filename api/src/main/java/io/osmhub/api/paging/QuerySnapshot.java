package io.osmhub.api.paging;

import io.osmhub.api.access.Caller;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Rows of a query in order, at one point in time.
 *
 * @param id unique across processes and not guessable
 * @param caller who ran the query; null if unknown
 * @param made in nanoseconds of the monotonic clock
 */
record QuerySnapshot<R extends TableRow>(
        long id,
        long query,
        SortedRows<R> arranged,
        @Nullable Caller caller,
        long made) {
    List<R> rows() {
        return arranged.rows();
    }
}
