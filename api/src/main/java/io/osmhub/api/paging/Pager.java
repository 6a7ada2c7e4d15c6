package io.osmhub.api.paging;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.ProblemType;
import io.osmhub.api.problem.RequestError;
import io.osmhub.core.model.LabelSelector;
import java.nio.ByteBuffer;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Cuts the rows of a table into pages. The first page fixes the rows and their order for later pages: for some minutes in this
 * process, and in any process while the rows are unchanged. Later cursors are rejected as gone. A cursor grants no permissions: a
 * caller who may not see all rows of its result gets a page only if their own rows are equal. Thread-safe.
 */
public final class Pager<R extends TableRow> {
    private static final long KEPT_NANOS = 300_000_000_000L;

    /** Limit of row references in all retained results. */
    private static final long MOST_ROWS = 4_000_000;

    private final SortOrders<R> sorts;
    private final LongSupplier nanoTime;
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, QuerySnapshot<R>> results = new LinkedHashMap<>(16, 0.75f, true);
    private long rowsKept;

    public Pager(SortOrders<R> sorts, LongSupplier nanoTime) {
        this.sorts = sorts;
        this.nanoTime = nanoTime;
    }

    /**
     * A list query.
     *
     * @param filters readable form of the other filters; equal text means equal filters
     * @param filter the same as a predicate
     */
    public record PageQuery<R>(PageRequest page, String filters, Predicate<R> filter) {}

    /**
     * Returns the requested page.
     *
     * @throws ApiProblem bad request for an unknown sort field, an invalid selector or the cursor of another query; gone for a cursor
     *     whose rows are no longer available
     */
    public RowPage<R> getPage(RowTable<?, R> table, PageQuery<R> question, RowVisibility<R> viewer) throws ApiProblem {
        PageRequest page = question.page();
        RowOrder<R> order = sorts.resolveOrder(page.sort());
        LabelSelector selector = selector(page.labelSelector());
        String shown = shown(question, order);
        long query = fingerprint(shown);
        if (page.cursor() == null) {
            return first(find(table, question, order, selector, viewer), query, shown, page.limit(), viewer);
        }
        PageCursor cursor = PageCursor.of(page.cursor());
        if (cursor == null) {
            throw ApiProblem.badRequest(RequestError.query(
                    "continue", "not a valid cursor of a list", "leave it out to begin with the first page"));
        }
        if (cursor.query() != query) {
            throw otherQuery(cursor);
        }
        QuerySnapshot<R> kept = kept(cursor.result());
        // The result belongs to another caller, or the caller lost permissions: its total and positions would reveal
        // hidden rows.
        if (kept == null || kept.query() != query || !viewer.canRead(kept)) {
            SortedRows<R> found = find(table, question, order, selector, viewer);
            if (found.fingerprint() != cursor.rows()) {
                throw ApiProblem.gone(
                        "the rows have changed since the first page and are not known as they were; begin again without continue");
            }
            kept = keep(query, found, viewer);
        }
        return cut(kept, shown, cursor.offset(), page.limit(), viewer);
    }

    private static ApiProblem otherQuery(PageCursor cursor) {
        RequestError mistake = RequestError.query(
                "continue", "it was issued for " + cursor.shown(), "repeat the parameters of the first page");
        return ApiProblem.of(ProblemType.BAD_REQUEST, "continue belongs to another query", List.of(mistake));
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

    private static String shown(PageQuery<?> question, RowOrder<?> order) {
        PageRequest page = question.page();
        StringBuilder shown = new StringBuilder("sort=").append(order.name());
        append(shown, "search", page.search());
        append(shown, "labelSelector", page.labelSelector());
        append(shown, "namespace", page.namespace());
        if (!question.filters().isEmpty()) {
            shown.append('&').append(question.filters());
        }
        return shown.toString();
    }

    private static void append(StringBuilder shown, String name, @Nullable String value) {
        if (value != null && !value.isEmpty()) {
            shown.append('&').append(name).append('=').append(value);
        }
    }

    private static long fingerprint(String text) {
        try {
            return ByteBuffer.wrap(MessageDigest.getInstance("SHA-256").digest(text.getBytes(UTF_8)))
                    .getLong();
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java has SHA-256", e);
        }
    }

    // --- query

    private SortedRows<R> find(
            RowTable<?, R> table,
            PageQuery<R> question,
            RowOrder<R> order,
            @Nullable LabelSelector selector,
            RowVisibility<R> viewer) {
        PageRequest page = question.page();
        SearchText search = SearchText.of(Objects.requireNonNullElse(page.search(), ""));
        String namespace = Objects.requireNonNullElse(page.namespace(), "");
        Set<String> tenants = namespace.isEmpty() ? viewer.namespaces() : Set.of(namespace);
        List<R> few = tenants == null ? null : table.few(tenants);
        SortedRows<R> arranged = few == null ? table.sortRows(order) : new SortedRows<>(few);
        if (viewer.all()
                && search.isEmpty()
                && namespace.isEmpty()
                && selector == null
                && question.filters().isEmpty()) {
            return arranged;
        }
        List<R> all = arranged.rows();
        List<R> found = new ArrayList<>();
        Predicate<R> filter = question.filter();
        for (int at = 0; at < all.size(); at++) {
            // Not yet cast to Row: with several row types, the cast takes longer than a filter.
            if (!filter.test(all.get(at))) {
                continue;
            }
            R row = all.get(at);
            if ((namespace.isEmpty() || namespace.equals(row.namespace()))
                    && viewer.isVisible(row)
                    && (search.isEmpty() || row.matchesText(search))
                    && (selector == null || selector.matches(row.labels()))) {
                found.add(row);
            }
        }
        if (few != null) {
            found.sort(order.comparator());
        }
        return new SortedRows<>(found);
    }

    // --- pages

    private RowPage<R> first(SortedRows<R> found, long query, String shown, int limit, RowVisibility<R> viewer) {
        List<R> rows = found.rows();
        if (rows.size() <= limit) {
            return new RowPage<>(List.copyOf(rows), null, null, 0, rows.size());
        }
        QuerySnapshot<R> result = keep(query, found, viewer);
        return slice(result, shown, 0, limit, rows.subList(0, limit));
    }

    /** From an existing result, returns only what the caller may see now. */
    private RowPage<R> cut(QuerySnapshot<R> result, String shown, int offset, int limit, RowVisibility<R> viewer) {
        List<R> rows = result.rows();
        int from = Math.min(offset, rows.size());
        int to = Math.min(rows.size(), from + limit);
        List<R> page = rows.subList(from, to).stream().filter(viewer::isVisible).toList();
        return slice(result, shown, from, limit, page);
    }

    private RowPage<R> slice(QuerySnapshot<R> result, String shown, int from, int limit, List<R> page) {
        int total = result.rows().size();
        String next = from + limit < total ? cursor(result, shown, from + limit) : null;
        String previous = from > 0 ? cursor(result, shown, Math.max(0, from - limit)) : null;
        return new RowPage<>(List.copyOf(page), next, previous, from, total);
    }

    private String cursor(QuerySnapshot<R> result, String shown, int offset) {
        return new PageCursor(result.query(), result.id(), result.arranged().fingerprint(), offset, shown).text();
    }

    // --- retained results

    private synchronized @Nullable QuerySnapshot<R> kept(long id) {
        forget();
        return results.get(id);
    }

    private synchronized QuerySnapshot<R> keep(long query, SortedRows<R> found, RowVisibility<R> viewer) {
        QuerySnapshot<R> result =
                new QuerySnapshot<>(random.nextLong(), query, found, viewer.caller(), nanoTime.getAsLong());
        results.put(result.id(), result);
        rowsKept += result.rows().size();
        forget();
        return result;
    }

    private void forget() {
        long now = nanoTime.getAsLong();
        Iterator<QuerySnapshot<R>> oldest = results.values().iterator();
        while (oldest.hasNext()) {
            QuerySnapshot<R> result = oldest.next();
            if (now - result.made() <= KEPT_NANOS && rowsKept <= MOST_ROWS) {
                break;
            }
            rowsKept -= result.rows().size();
            oldest.remove();
        }
    }

    /** Number of row references retained for later pages. */
    public synchronized long rowsKept() {
        return rowsKept;
    }
}
