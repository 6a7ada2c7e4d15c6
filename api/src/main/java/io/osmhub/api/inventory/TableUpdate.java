package io.osmhub.api.inventory;

import io.osmhub.api.paging.RowTable;
import io.osmhub.api.paging.TableRow;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * Changes to a table.
 *
 * @param put new or changed rows
 * @param removed keys of removed rows
 * @param gone the removed rows
 */
record TableUpdate<K, R extends TableRow>(Map<K, R> put, List<K> removed, List<R> gone) {
    /** Replaces rows in {@code after}, if mutable, by equal old ones, so that tables see no change. */
    static <K, R extends TableRow> TableUpdate<K, R> of(Map<K, R> before, Map<K, R> after, BiPredicate<R, R> same) {
        Map<K, R> put = new HashMap<>();
        for (Map.Entry<K, R> entry : after.entrySet()) {
            R old = before.get(entry.getKey());
            if (old != null && same.test(old, entry.getValue())) {
                entry.setValue(old);
            } else {
                put.put(entry.getKey(), entry.getValue());
            }
        }
        List<K> removed = new ArrayList<>();
        List<R> gone = new ArrayList<>();
        before.forEach((key, row) -> {
            if (!after.containsKey(key)) {
                removed.add(key);
                gone.add(row);
            }
        });
        return new TableUpdate<>(put, removed, gone);
    }

    void applyTo(RowTable<K, R> table) {
        removed.forEach(key -> table.put(key, null));
        put.forEach(table::put);
    }
}
