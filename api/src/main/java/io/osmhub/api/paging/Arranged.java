package io.osmhub.api.paging;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Rows in their order, which never change. Safe for use by many threads. */
final class Arranged<R extends Row> {
    private final List<R> rows;
    /** Reckoned when it is asked for first: it takes a look at every row. */
    private volatile @Nullable Long fingerprint;

    Arranged(List<R> rows) {
        this.rows = rows;
    }

    List<R> rows() {
        return rows;
    }

    /** Of the rows and their order; the same in any process. */
    long fingerprint() {
        Long known = fingerprint;
        if (known == null) {
            long sum = rows.size();
            for (R row : rows) {
                sum = sum * 0x100000001B3L + row.fingerprint();
            }
            known = sum;
            fingerprint = known;
        }
        return known;
    }
}
