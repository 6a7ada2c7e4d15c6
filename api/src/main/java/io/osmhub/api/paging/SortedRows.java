package io.osmhub.api.paging;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Immutable rows in order. Thread-safe. */
final class SortedRows<R extends TableRow> {
    private final List<R> rows;
    /** Computed on first use, because it reads every row. */
    private volatile @Nullable Long fingerprint;

    SortedRows(List<R> rows) {
        this.rows = rows;
    }

    List<R> rows() {
        return rows;
    }

    /** Fingerprint of the rows and their order, equal in all processes. */
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
