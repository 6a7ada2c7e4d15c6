package io.osmhub.api.paging;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rows by key and by tenant. Thread-safe. */
public final class RowTable<K, R extends TableRow> {
    /** In the order of insertion, which is that in memory: reading 100,000 rows in another order takes twice as long. */
    private final Map<K, R> rows = new LinkedHashMap<>();

    private final Map<String, Map<K, R>> byNamespace = new HashMap<>();
    /** All rows; null after a change. */
    private @Nullable List<R> all;

    /** Sets the row of a key; null removes it. */
    public synchronized void put(K key, @Nullable R row) {
        R before = row == null ? rows.remove(key) : rows.put(key, row);
        if (before == row) {
            return;
        }
        all = null;
        if (before != null && (row == null || !row.namespace().equals(before.namespace()))) {
            byNamespace.computeIfPresent(before.namespace(), (namespace, some) -> {
                some.remove(key);
                return some.isEmpty() ? null : some;
            });
        }
        if (row != null) {
            byNamespace
                    .computeIfAbsent(row.namespace(), namespace -> new HashMap<>(4))
                    .put(key, row);
        }
    }

    public synchronized @Nullable R get(K key) {
        return rows.get(key);
    }

    /** All current rows, unordered, as an immutable list. */
    public synchronized List<R> all() {
        if (all == null) {
            all = List.copyOf(rows.values());
        }
        return all;
    }

    /** All rows of some tenants, unordered. */
    synchronized List<R> of(Collection<String> namespaces) {
        List<R> some = new ArrayList<>();
        for (String namespace : namespaces) {
            some.addAll(byNamespace.getOrDefault(namespace, Map.of()).values());
        }
        return some;
    }
}
