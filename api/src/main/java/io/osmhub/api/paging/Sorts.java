package io.osmhub.api.paging;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.Mistake;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** What a list can be sorted by. What is absent comes last in both directions; ties are broken as the list says. */
public final class Sorts<R> {
    private record Field<R>(Direction<R> direction, boolean passing) {}

    /** The comparator of a field, ascending or not. */
    private interface Direction<R> {
        Comparator<R> comparator(boolean descending);
    }

    private final Map<String, Field<R>> fields = new LinkedHashMap<>();
    private final String usual;
    private final Comparator<R> tieBreak;

    /**
     * Without any field yet.
     *
     * @param usual the order of who asks for none
     * @param tieBreak total order of the rows
     */
    public Sorts(String usual, Comparator<R> tieBreak) {
        this.usual = usual;
        this.tieBreak = tieBreak;
    }

    /** With one more field. {@code value} gives null for what is absent. */
    public <C extends Comparable<? super C>> Sorts<R> by(String name, Function<R, @Nullable C> value) {
        return by(name, value, false);
    }

    /** With one more field whose values change while the rows stay, as live ones do. */
    public <C extends Comparable<? super C>> Sorts<R> byPassing(String name, Function<R, @Nullable C> value) {
        return by(name, value, true);
    }

    private <C extends Comparable<? super C>> Sorts<R> by(
            String name, Function<R, @Nullable C> value, boolean passing) {
        Direction<R> direction = descending -> {
            // No sorting bears values that change while it goes on.
            Function<R, @Nullable C> held = passing ? once(value) : value;
            return (one, other) -> compare(held, descending, one, other);
        };
        fields.put(name, new Field<>(direction, passing));
        return this;
    }

    /** What it gives for a row first, it gives for good. For one thread. */
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

    /** @throws ApiProblem when it names a field that there is none of */
    Order<R> order(@Nullable String wanted) throws ApiProblem {
        String sort = wanted == null || wanted.isEmpty() ? usual : wanted;
        List<Mistake> mistakes = new ArrayList<>();
        Comparator<R> comparator = null;
        boolean passing = false;
        for (String part : sort.split(",", -1)) {
            boolean descending = part.startsWith("-");
            String name = descending ? part.substring(1) : part;
            Field<R> field = fields.get(name);
            if (field == null) {
                mistakes.add(Mistake.query(
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
        return new Order<>(sort, comparator.thenComparing(tieBreak), passing);
    }
}
