package io.osmhub.api.paging;

import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Updates sorted rows in one pass; only changed rows are compared. */
final class SortedMerge {
    private SortedMerge() {}

    /**
     * Returns the sorted rows after changes.
     *
     * @param before rows of changed keys as in {@code sorted}; null for those not in it
     * @param now all rows
     * @return null if a row is not at its sorted position, so that a full sort is needed
     */
    static <K, R> @Nullable List<R> of(
            List<R> sorted, Map<K, @Nullable R> before, Map<K, R> now, Comparator<R> comparator) {
        NavigableSet<Integer> gone = new TreeSet<>();
        List<R> come = new ArrayList<>();
        for (Map.Entry<K, @Nullable R> change : before.entrySet()) {
            R old = change.getValue();
            R next = now.get(change.getKey());
            if (old == next) {
                continue;
            }
            if (old != null) {
                int at = Collections.binarySearch(sorted, old, comparator);
                if (at < 0 || sorted.get(at) != old) {
                    return null;
                }
                gone.add(at);
            }
            if (next != null) {
                come.add(next);
            }
        }
        come.sort(comparator);
        List<R> merged = new ArrayList<>(sorted.size() - gone.size() + come.size());
        int from = 0;
        for (R next : come) {
            int place = Collections.binarySearch(sorted, next, comparator);
            int to = Math.max(from, place < 0 ? -place - 1 : place);
            copy(sorted, from, to, gone, merged);
            merged.add(next);
            from = to;
        }
        copy(sorted, from, sorted.size(), gone, merged);
        return merged;
    }

    private static <R> void copy(List<R> rows, int from, int to, NavigableSet<Integer> without, List<R> into) {
        int at = from;
        for (int gone : without.subSet(from, true, to, false)) {
            into.addAll(rows.subList(at, gone));
            at = gone + 1;
        }
        into.addAll(rows.subList(at, to));
    }
}
