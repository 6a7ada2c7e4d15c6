package io.osmhub.api.paging;

import io.osmhub.api.access.Caller;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The rows of a query in their order, as they were at one moment.
 *
 * @param id no other result has it, in this process or another, and no caller can guess it
 * @param caller for whom it was made; null when that is not known
 * @param made by the clock that only goes forward, in nanoseconds
 */
record Result<R extends Row>(
        long id, long query, Arranged<R> arranged, @Nullable Caller caller, long made) {
    List<R> rows() {
        return arranged.rows();
    }
}
