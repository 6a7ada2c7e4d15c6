package io.osmhub.api.paging;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** Sort fields of a list. Absent values sort last in both directions; ties are broken by the list's total order. */
public final class SortOrders<R> {
    private record SortField<R>(ComparatorFactory<R> direction, boolean passing) {}

    /** Creates the comparator of a field, ascending or descending. */
    private interface ComparatorFactory<R> {
        Comparator<R> comparator(boolean descending);
    }

    private final Map<String, SortField<R>> fields = new LinkedHashMap<>();
    private final String usual;
    private final Comparator<R> tieBreak;

    /**
     * Creates orders without fields.
     *
     * @param usual the default order
     * @param tieBreak total order of the rows
     */
    public SortOrders(String usual, Comparator<R> tieBreak) {
        this.usual = usual;
        this.tieBreak = tieBreak;
    }

    /** Adds a field; {@code value} returns null for absent values. */
    public <C extends Comparable<? super C>> SortOrders<R> by(String name, Function<R, @Nullable C> value) {
        return by(name, value, false);
    }

    /** Adds a field with live values, which can change while the row does not. */
    public <C extends Comparable<? super C>> SortOrders<R> byLive(String name, Function<R, @Nullable C> value) {
        return by(name, value, true);
    }

    private <C extends Comparable<? super C>> SortOrders<R> by(
            String name, Function<R, @Nullable C> value, boolean passing) {
        ComparatorFactory<R> direction = descending -> {
            // Sorting fails if values change meanwhile.
            Function<R, @Nullable C> held = passing ? once(value) : value;
            return (one, other) -> compare(held, descending, one, other);
        };
        fields.put(name, new SortField<>(direction, passing));
        return this;
    }

    /** Memoizes the value of each row. Not thread-safe. */
    private static <R, C> Function<R, @Nullable C> once(Function<R, @Nullable C> value) {
        IdentityHashMap<R, Optional<C>> known = new IdentityHashMap<>();
        return row -> known.computeIfAbsent(row, asked -> Optional.ofNullable(value.apply(asked)))
                .orElse(null);
    }

    private static <R, C extends Comparable<? super C>> int compare(
            Function<R, @Nullable C> value, boolean descending, R one, R other) {
        C left = value.apply(one);
        C right = value.apply(other);
        if (left == null || right == null) {
            return left == right ? 0 : left == null ? 1 : -1;
        }
        return descending ? right.compareTo(left) : left.compareTo(right);
    }

    /** @throws ApiProblem for an unknown field */
    RowOrder<R> resolveOrder(@Nullable String wanted) throws ApiProblem {
        String sort = wanted == null || wanted.isEmpty() ? usual : wanted;
        List<RequestError> mistakes = new ArrayList<>();
        Comparator<R> comparator = null;
        boolean passing = false;
        for (String part : sort.split(",", -1)) {
            boolean descending = part.startsWith("-");
            String name = descending ? part.substring(1) : part;
            SortField<R> field = fields.get(name);
            if (field == null) {
                mistakes.add(RequestError.query(
                        "sort", "this list has no sort field " + name, "use " + String.join(", ", fields.keySet())));
            } else {
                Comparator<R> next = field.direction().comparator(descending);
                comparator = comparator == null ? next : comparator.thenComparing(next);
                passing |= field.passing();
            }
        }
        if (comparator == null || !mistakes.isEmpty()) {
            throw ApiProblem.badRequest(mistakes);
        }
        return new RowOrder<>(sort, comparator.thenComparing(tieBreak), passing);
    }
}
