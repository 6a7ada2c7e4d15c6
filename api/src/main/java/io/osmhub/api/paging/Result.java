package io.osmhub.api.paging;

import java.util.List;

/**
 * The rows of a query in their order, as they were at one moment.
 *
 * @param id no other result has it, in this process or another
 * @param made by the clock that only goes forward, in nanoseconds
 */
record Result<R extends Row>(long id, long query, Arranged<R> arranged, long made) {
    List<R> rows() {
        return arranged.rows();
    }
}
