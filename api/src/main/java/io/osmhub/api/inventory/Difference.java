package io.osmhub.api.inventory;

import io.osmhub.api.paging.Row;
import io.osmhub.api.paging.Table;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.BiPredicate;

/**
 * What has to change in a table.
 *
 * @param put rows that are new or say something else
 * @param removed keys whose rows are gone
 * @param gone those rows
 */
record Difference<K, R extends Row>(Map<K, R> put, List<K> removed, List<R> gone) {
    /** {@code after}, if it can be changed, gets the old rows wherever they say the same, so that tables see no change. */
    static <K, R extends Row> Difference<K, R> of(Map<K, R> before, Map<K, R> after, BiPredicate<R, R> same) {
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
        return new Difference<>(put, removed, gone);
    }

    void into(Table<K, R> table) {
        removed.forEach(key -> table.put(key, null));
        put.forEach(table::put);
    }
}
