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
 * Rows by key, and their arrangements. A change costs nothing but a note; whoever asks for an arrangement brings it up to date by
 * merging what was noted since, so that asking does not sort, however many rows there are. Safe for use by many threads.
 */
public final class Table<K, R extends Row> {
    /** Arrangements that are kept; the one that was not asked for longest goes. */
    private static final int KEPT = 12;

    /** How long an arrangement holds that follows from more than the rows. */
    private static final long PASSING_NANOS = 5_000_000_000L;

    /** What is more than this part of all rows is not worth sorting. */
    private static final int MANY = 16;

    private final LongSupplier nanoTime;
    private final Map<K, R> rows = new HashMap<>();
    /** The same rows by their tenant. */
    private final Map<String, Map<K, R>> byNamespace = new HashMap<>();

    private final Map<String, Arrangement<R>> arrangements = new LinkedHashMap<>(16, 0.75f, true);
    private final ChangeLog<K, R> log = new ChangeLog<>();

    /** @param nanoTime a clock that only goes forward */
    public Table(LongSupplier nanoTime) {
        this.nanoTime = nanoTime;
    }

    /** The row of a key from now on; null takes it away. */
    public synchronized void put(K key, @Nullable R row) {
        R before = row == null ? rows.remove(key) : rows.put(key, row);
        if (before != row) {
            index(key, before, row);
            if (!arrangements.isEmpty()) {
                log.note(key, before);
                if (log.size() > rows.size() / 4 + 1000) {
                    // Sorting anew is cheaper by now.
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

    /** All rows of this moment, in no order. */
    public synchronized List<R> all() {
        return new ArrayList<>(rows.values());
    }

    /** All rows of some tenants, in no order; null when they are so many that looking through all rows in order is less work. */
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

    /** All rows in order. The list never changes. */
    synchronized Arranged<R> arranged(Order<R> order) {
        Arrangement<R> known = arrangements.get(order.name());
        boolean old = known != null && order.passing() && nanoTime.getAsLong() - known.made() > PASSING_NANOS;
        List<R> now;
        if (known == null || old) {
            now = sorted(rows.values(), order);
        } else if (known.upTo() == log.end()) {
            return known.arranged();
        } else {
            Map<K, @Nullable R> before = log.since(known.upTo());
            List<R> merged = Merge.of(known.arranged().rows(), before, rows, order.comparator());
            now = merged == null ? sorted(rows.values(), order) : merged;
        }
        Arranged<R> arranged = new Arranged<>(now);
        arrangements.put(order.name(), new Arrangement<>(arranged, log.end(), nanoTime.getAsLong()));
        forget();
        return arranged;
    }

    private static <R> List<R> sorted(Collection<R> rows, Order<R> order) {
        List<R> sorted = new ArrayList<>(rows);
        sorted.sort(order.comparator());
        return sorted;
    }

    private void forget() {
        while (arrangements.size() > KEPT) {
            arrangements.remove(arrangements.keySet().iterator().next());
        }
        long oldest = log.end();
        for (Arrangement<R> arrangement : arrangements.values()) {
            oldest = Math.min(oldest, arrangement.upTo());
        }
        log.dropBefore(oldest);
    }

    /** One arrangement and the place in the log that it has taken in. */
    private record Arrangement<R extends Row>(Arranged<R> arranged, long upTo, long made) {}

    /** What was at keys that changed, before they did. */
    private static final class ChangeLog<K, R> {
        private record Note<K, R>(K key, @Nullable R before) {}

        private final List<Note<K, R>> notes = new ArrayList<>();
        private long start;

        void note(K key, @Nullable R before) {
            notes.add(new Note<>(key, before));
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

        /** The rows at that place of the log, of all keys that changed since; null for none. */
        Map<K, @Nullable R> since(long place) {
            Map<K, @Nullable R> before = new HashMap<>();
            for (Note<K, R> note : notes.subList((int) (place - start), notes.size())) {
                if (!before.containsKey(note.key())) {
                    before.put(note.key(), note.before());
                }
            }
            return before;
        }
    }
}
