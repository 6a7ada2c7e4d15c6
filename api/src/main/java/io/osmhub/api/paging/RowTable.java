package io.osmhub.api.paging;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Rows by key and their sorted orders. A change is only logged; reading an order merges the logged changes instead of sorting all
 * rows. Thread-safe.
 */
public final class RowTable<K, R extends TableRow> {
    /** Maximum number of cached orders; evicts the least recently used. */
    private static final int KEPT = 12;

    /** Lifetime of an order that depends on values outside the rows. */
    private static final long PASSING_NANOS = 5_000_000_000L;

    /** If more than this fraction of all rows matches, sorting the subset is not worthwhile. */
    private static final int MANY = 16;

    private final LongSupplier nanoTime;
    private final Map<K, R> rows = new HashMap<>();
    /** Rows by tenant. */
    private final Map<String, Map<K, R>> byNamespace = new HashMap<>();

    private final Map<String, CachedOrder<R>> arrangements = new LinkedHashMap<>(16, 0.75f, true);
    private final RowChangeLog<K, R> log = new RowChangeLog<>();

    /** @param nanoTime monotonic clock */
    public RowTable(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** Sets the row of a key; null removes it. */
    public synchronized void put(K key, @Nullable R row) {
        R before = row == null ? rows.remove(key) : rows.put(key, row);
        if (before != row) {
            index(key, before, row);
            if (!arrangements.isEmpty()) {
                log.note(key, before);
                if (log.size() > rows.size() / 4 + 1000) {
                    // A full sort is cheaper now.
                    arrangements.clear();
                    log.clear();
                }
            }
        }
    }

    private void index(K key, @Nullable R before, @Nullable R now) {
        if (before != null && (now == null || !now.namespace().equals(before.namespace()))) {
            byNamespace.computeIfPresent(before.namespace(), (namespace, some) -> {
                some.remove(key);
                return some.isEmpty() ? null : some;
            });
        }
        if (now != null) {
            byNamespace
                    .computeIfAbsent(now.namespace(), namespace -> new HashMap<>(4))
                    .put(key, now);
        }
    }

    public synchronized @Nullable R get(K key) {
        return rows.get(key);
    }

    /** All current rows, unordered. */
    public synchronized List<R> all() {
        return new ArrayList<>(rows.values());
    }

    /** All rows of some tenants, unordered; null if they are so many that filtering the sorted rows is cheaper. */
    synchronized @Nullable List<R> few(Collection<String> namespaces) {
        List<R> few = new ArrayList<>();
        for (String namespace : namespaces) {
            few.addAll(byNamespace.getOrDefault(namespace, Map.of()).values());
            if (few.size() > rows.size() / MANY) {
                return null;
            }
        }
        return few;
    }

    /** All rows in order, as an immutable list. */
    synchronized SortedRows<R> sortRows(RowOrder<R> order) {
        CachedOrder<R> known = arrangements.get(order.name());
        boolean old = known != null && order.liveValues() && nanoTime.getAsLong() - known.made() > PASSING_NANOS;
        List<R> now;
        if (known == null || old) {
            now = sorted(rows.values(), order);
        } else if (known.upTo() == log.end()) {
            return known.arranged();
        } else {
            Map<K, @Nullable R> before = log.since(known.upTo());
            List<R> merged = SortedMerge.of(known.arranged().rows(), before, rows, order.comparator());
            now = merged == null ? sorted(rows.values(), order) : merged;
        }
        SortedRows<R> arranged = new SortedRows<>(now);
        arrangements.put(order.name(), new CachedOrder<>(arranged, log.end(), nanoTime.getAsLong()));
        forget();
        return arranged;
    }

    private static <R> List<R> sorted(Collection<R> rows, RowOrder<R> order) {
        List<R> sorted = new ArrayList<>(rows);
        sorted.sort(order.comparator());
        return sorted;
    }

    private void forget() {
        while (arrangements.size() > KEPT) {
            arrangements.remove(arrangements.keySet().iterator().next());
        }
        long oldest = log.end();
        for (CachedOrder<R> arrangement : arrangements.values()) {
            oldest = Math.min(oldest, arrangement.upTo());
        }
        log.dropBefore(oldest);
    }

    /** A sorted order and the log position up to which it is current. */
    private record CachedOrder<R extends TableRow>(SortedRows<R> arranged, long upTo, long made) {}

    /** Previous rows of changed keys. */
    private static final class RowChangeLog<K, R> {
        private record RowChange<K, R>(K key, @Nullable R before) {}

        private final List<RowChange<K, R>> notes = new ArrayList<>();
        private long start;

        void note(K key, @Nullable R before) {
            notes.add(new RowChange<>(key, before));
        }

        int size() {
            return notes.size();
        }

        long end() {
            return start + notes.size();
        }

        void clear() {
            start = end();
            notes.clear();
        }

        void dropBefore(long place) {
            notes.subList(0, (int) (place - start)).clear();
            start = place;
        }

        /** The rows at that log position of all keys changed since; null values for absent rows. */
        Map<K, @Nullable R> since(long place) {
            Map<K, @Nullable R> before = new HashMap<>();
            for (RowChange<K, R> note : notes.subList((int) (place - start), notes.size())) {
                if (!before.containsKey(note.key())) {
                    before.put(note.key(), note.before());
                }
            }
            return before;
        }
    }
}
