package io.osmhub.api.paging;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.template.SpellingSuggestion;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiPredicate;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The columns of a list: what it can be sorted and filtered by, each declared once. Cuts pages: a page continues after the sort key of
 * the last row of the page before, so any process with the same rows can return it. A row that moves meanwhile can be on two pages or
 * none; every other row is on exactly one. Thread-safe once declared.
 */
public final class ListColumns<R extends TableRow> {
    private final Map<String, Function<R, @Nullable Object>> sorts = new LinkedHashMap<>();
    private final Map<String, RowFilter<R>> filters = new LinkedHashMap<>();
    private final String defaultSort;
    private final List<Function<R, @Nullable Object>> identity;

    /** Creates the predicate of a filter's value. */
    private interface RowFilter<R> {
        Predicate<R> of(String value) throws ApiProblem;
    }

    /**
     * Creates a list without columns.
     *
     * @param identity values that break ties; together they identify a row
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // The array is only read.
    public ListColumns(String defaultSort, Function<R, @Nullable Object>... identity) {
        this.defaultSort = defaultSort;
        this.identity = List.of(identity);
    }

    // --- declaration

    /**
     * Adds a sort field.
     *
     * @param value text, number, time or enum; null if absent, which sorts last in both directions
     */
    public ListColumns<R> sort(String name, Function<R, @Nullable Object> value) {
        sorts.put(name, value);
        return this;
    }

    /** Adds a filter. */
    public ListColumns<R> filter(String name, BiPredicate<R, String> matches) {
        filters.put(name, value -> row -> matches.test(row, value));
        return this;
    }

    /** Adds a filter by the contract's words for constants. */
    public <E extends Enum<E>> ListColumns<R> filter(String name, Class<E> type, BiPredicate<R, E> matches) {
        filters.put(name, value -> {
            E constant = constant(name, type, value);
            return row -> matches.test(row, constant);
        });
        return this;
    }

    /** Adds the filter {@code reason}. */
    public ListColumns<R> filterReason(BiPredicate<R, Reason> matches) {
        filters.put("reason", value -> {
            Reason reason = reason(value);
            return row -> matches.test(row, reason);
        });
        return this;
    }

    /** Names of all filters. */
    public Set<String> filters() {
        return filters.keySet();
    }

    /** @throws ApiProblem bad request for a word that is not in the contract */
    public static <E extends Enum<E>> E constant(String name, Class<E> type, String word) throws ApiProblem {
        List<String> words =
                Arrays.stream(type.getEnumConstants()).map(ApiJson::word).toList();
        return ApiJson.constant(type, word)
                .orElseThrow(() -> ApiProblem.badRequest(
                        RequestError.query(name, "this is not one of its values", "use " + String.join(", ", words))));
    }

    private static Reason reason(String word) throws ApiProblem {
        List<String> words =
                Arrays.stream(Reason.values()).map(Reason::wireName).toList();
        return Reason.of(word)
                .orElseThrow(() -> ApiProblem.badRequest(RequestError.query(
                        "reason",
                        "unknown reason",
                        SpellingSuggestion.findClosest(word, words)
                                .map(near -> "did you mean " + near + "?")
                                .orElse("see the list of reasons in docs/reference/reasons.md"))));
    }

    // --- pages

    /**
     * One page of rows.
     *
     * @param next cursor of the next page; null on the last
     * @param previous cursor of the previous page; null on the first
     * @param offset rows before this page
     * @param total rows on all pages
     */
    public record Page<R>(
            List<R> rows, @Nullable String next, @Nullable String previous, int offset, int total) {}

    /**
     * Returns the requested page.
     *
     * @throws ApiProblem bad request for an unknown sort field, an invalid filter or selector, or the cursor of another query
     */
    public Page<R> page(RowTable<?, R> table, ListQuery query, RowVisibility<R> viewer) throws ApiProblem {
        int limit = query.limit();
        String sort = Objects.requireNonNullElse(query.text("sort"), defaultSort);
        RowOrder order = order(sort);
        Predicate<R> filter = filter(query);
        String shown = shown(query, sort);
        String text = query.text("continue");
        PageCursor cursor = text == null ? PageCursor.START : PageCursor.read(text, shown, order.size());

        String namespace = query.text("namespace");
        Collection<String> namespaces = namespace == null ? viewer.namespaces() : Set.of(namespace);
        NearestRows<R> nearest = new NearestRows<>(order, limit, cursor.isBefore());
        int preceding = 0;
        int total = 0;
        for (R row : namespaces == null ? table.all() : table.of(namespaces)) {
            if (filter.test(row) && viewer.isVisible(row)) {
                total++;
                boolean precedes = cursor.isEdge() ? cursor.isBefore() : order.precedes(row, cursor);
                preceding += precedes ? 1 : 0;
                if (precedes == cursor.isBefore()) {
                    nearest.offer(row);
                }
            }
        }
        List<KeyedRow<R>> page = nearest.inOrder();
        int offset = cursor.isBefore() ? preceding - page.size() : preceding;
        PageCursor next = page.isEmpty() ? PageCursor.START : PageCursor.after(page.getLast().key);
        PageCursor previous = offset <= limit
                ? PageCursor.START
                : page.isEmpty() ? PageCursor.END : PageCursor.before(page.getFirst().key);
        return new Page<>(
                page.stream().map(KeyedRow::row).toList(),
                offset + page.size() < total ? next.write(shown) : null,
                offset > 0 ? previous.write(shown) : null,
                offset,
                total);
    }

    private record KeyedRow<R>(@Nullable Object[] key, R row) {}

    /** The rows nearest to a cursor on one side. Most rows of a large table are farther, and cost a comparison without a key. */
    private static final class NearestRows<R extends TableRow> {
        private final ListColumns<R>.RowOrder order;
        private final int most;
        private final boolean isBefore;
        private final Comparator<KeyedRow<R>> inOrder;
        private final PriorityQueue<KeyedRow<R>> farthestFirst;

        NearestRows(ListColumns<R>.RowOrder order, int most, boolean isBefore) {
            this.order = order;
            this.most = most;
            this.isBefore = isBefore;
            this.inOrder = (one, other) -> order.compare(one.key, other.key);
            this.farthestFirst = new PriorityQueue<>(isBefore ? inOrder : inOrder.reversed());
        }

        void offer(R row) {
            KeyedRow<R> farthest = farthestFirst.peek();
            if (farthest != null && farthestFirst.size() == most) {
                int difference = order.compareRow(row, farthest.key);
                if (isBefore ? difference <= 0 : difference >= 0) {
                    return;
                }
                farthestFirst.remove();
            }
            farthestFirst.add(new KeyedRow<>(order.key(row), row));
        }

        List<KeyedRow<R>> inOrder() {
            return farthestFirst.stream().sorted(inOrder).toList();
        }
    }

    private Predicate<R> filter(ListQuery query) throws ApiProblem {
        Predicate<R> all = row -> true;
        for (Map.Entry<String, RowFilter<R>> column : filters.entrySet()) {
            Predicate<R> any = null;
            for (String value : query.values(column.getKey())) {
                Predicate<R> one = column.getValue().of(value);
                any = any == null ? one : any.or(one);
            }
            all = any == null ? all : all.and(any);
        }
        String search =
                Objects.requireNonNullElse(query.text("search"), "").strip().toLowerCase(Locale.ROOT);
        if (!search.isEmpty()) {
            all = all.and(row -> row.matchesText(search));
        }
        LabelSelector selector = selector(query.text("labelSelector"));
        return selector == null ? all : all.and(row -> selector.matches(row.labels()));
    }

    private static @Nullable LabelSelector selector(@Nullable String text) throws ApiProblem {
        if (text == null || text.isBlank()) {
            return null;
        }
        LabelSelector selector = LabelSelector.parse(text);
        if (selector == null) {
            throw ApiProblem.badRequest(RequestError.query(
                    "labelSelector",
                    "not a valid label selector",
                    "write requirements such as env=prod, env in (prod,stage), !legacy, with commas between them"));
        }
        return selector;
    }

    /** The query without its page, as users read it. */
    private String shown(ListQuery query, String sort) {
        StringBuilder shown = new StringBuilder("sort=").append(sort);
        List<String> names = new ArrayList<>(List.of("search", "labelSelector", "namespace"));
        names.addAll(filters.keySet());
        for (String name : names) {
            Set<String> values = new TreeSet<>(query.values(name));
            if (!values.isEmpty()) {
                shown.append('&').append(name).append('=').append(String.join(",", values));
            }
        }
        return shown.toString();
    }

    // --- order

    /** Orders rows by keys: the values of the sort fields, then those that identify the row. */
    private final class RowOrder {
        private final List<Function<R, @Nullable Object>> values = new ArrayList<>();
        private final List<Boolean> descending = new ArrayList<>();

        int size() {
            return values.size();
        }

        void add(Function<R, @Nullable Object> value, boolean isDescending) {
            values.add(value);
            descending.add(isDescending);
        }

        /** The key of a row on a page: values of live fields change meanwhile, so the page is sorted by this copy. */
        @Nullable Object[] key(R row) {
            @Nullable Object[] key = new Object[values.size()];
            for (int i = 0; i < key.length; i++) {
                key[i] = comparable(values.get(i).apply(row));
            }
            return key;
        }

        /** Compares a row with a key, reading only as many values as that needs. */
        int compareRow(R row, @Nullable Object[] key) {
            for (int i = 0; i < key.length; i++) {
                int difference = compare(comparable(values.get(i).apply(row)), key[i], descending.get(i));
                if (difference != 0) {
                    return difference;
                }
            }
            return 0;
        }

        /** Whether a row is before the position of a cursor. */
        boolean precedes(R row, PageCursor cursor) {
            int difference = compareRow(row, cursor.key());
            return difference < 0 || difference == 0 && !cursor.isBefore();
        }

        int compare(@Nullable Object[] one, @Nullable Object[] other) {
            for (int i = 0; i < one.length; i++) {
                int difference = compare(one[i], other[i], descending.get(i));
                if (difference != 0) {
                    return difference;
                }
            }
            return 0;
        }

        private static int compare(@Nullable Object one, @Nullable Object other, boolean descending) {
            if (one == other) {
                return 0;
            }
            if (one == null || other == null) {
                return one == null ? 1 : -1;
            }
            int difference = one instanceof Long number && other instanceof Long otherNumber
                    ? number.compareTo(otherNumber)
                    : one.toString().compareTo(other.toString());
            return descending ? -difference : difference;
        }

        /** As a long or a text, which a cursor can contain. */
        private static @Nullable Object comparable(@Nullable Object value) {
            if (value instanceof String) { // Most fields, and faster than the switch.
                return value;
            }
            return switch (value) {
                case null -> null;
                case Instant time -> time.toEpochMilli();
                case Number number -> number.longValue();
                case Enum<?> constant -> (long) constant.ordinal();
                default -> value.toString();
            };
        }
    }

    private RowOrder order(String sort) throws ApiProblem {
        RowOrder order = new RowOrder();
        List<RequestError> mistakes = new ArrayList<>();
        for (String part : sort.split(",", -1)) {
            boolean descending = part.startsWith("-");
            String name = descending ? part.substring(1) : part;
            Function<R, @Nullable Object> value = sorts.get(name);
            if (value == null) {
                mistakes.add(RequestError.query(
                        "sort", "this list has no sort field " + name, "use " + String.join(", ", sorts.keySet())));
            } else {
                order.add(value, descending);
            }
        }
        if (!mistakes.isEmpty()) {
            throw ApiProblem.badRequest(mistakes);
        }
        identity.forEach(value -> order.add(value, false));
        return order;
    }
}
