package io.osmhub.api.paging;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.Mistake;
import io.osmhub.api.problem.ProblemType;
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
 * Cuts the rows of a table into pages. The first page of a paging fixes which rows there are and in which order; the others are cut
 * from the same, for some minutes in this process, and in any process for as long as the rows there are still the very same. Who
 * comes too late is told to begin again. A cursor gives nothing to another caller: who may not see all the rows of its result gets a page of
 * their own rows if these are the very same, and else begins again. Safe for use by many threads.
 */
public final class Pager<R extends Row> {
    private static final long KEPT_NANOS = 300_000_000_000L;

    /** Rows of all results that are kept; a reference each. */
    private static final long MOST_ROWS = 4_000_000;

    private final Sorts<R> sorts;
    private final LongSupplier nanoTime;
    private final SecureRandom random = new SecureRandom();
    private final Map<Long, Result<R>> results = new LinkedHashMap<>(16, 0.75f, true);
    private long rowsKept;

    public Pager(Sorts<R> sorts, LongSupplier nanoTime) {
        this.sorts = sorts;
        this.nanoTime = nanoTime;
    }

    /**
     * What is asked.
     *
     * @param filters the further filters in words; equal words are equal filters
     * @param filter the same as a rule
     */
    public record Question<R>(PageRequest page, String filters, Predicate<R> filter) {}

    /**
     * The page that is asked for.
     *
     * @throws ApiProblem bad request for an unknown sort field, for a selector that is none, for a cursor of another query; gone for a
     *     cursor whose rows are not known any more
     */
    public Slice<R> page(Table<?, R> table, Question<R> question, Viewer<R> viewer) throws ApiProblem {
        PageRequest page = question.page();
        Order<R> order = sorts.order(page.sort());
        LabelSelector selector = selector(page.labelSelector());
        String shown = shown(question, order);
        long query = fingerprint(shown);
        if (page.cursor() == null) {
            return first(find(table, question, order, selector, viewer), query, shown, page.limit(), viewer);
        }
        Cursor cursor = Cursor.of(page.cursor());
        if (cursor == null) {
            throw ApiProblem.badRequest(Mistake.query(
                    "continue", "not a valid cursor of a list", "leave it out to begin with the first page"));
        }
        if (cursor.query() != query) {
            throw otherQuery(cursor);
        }
        Result<R> kept = kept(cursor.result());
        // Another caller's result, or one of more permissions than now: its total and places would tell of what it
        // holds.
        if (kept == null || kept.query() != query || !viewer.mayHave(kept)) {
            Arranged<R> found = find(table, question, order, selector, viewer);
            if (found.fingerprint() != cursor.rows()) {
                throw ApiProblem.gone(
                        "the rows have changed since the first page and are not known as they were; begin again without continue");
            }
            kept = keep(query, found, viewer);
        }
        return cut(kept, shown, cursor.offset(), page.limit(), viewer);
    }

    private static ApiProblem otherQuery(Cursor cursor) {
        Mistake mistake = Mistake.query(
                "continue", "it was issued for " + cursor.shown(), "repeat the parameters of the first page");
        return ApiProblem.of(ProblemType.BAD_REQUEST, "continue belongs to another query", List.of(mistake));
    }

    private static @Nullable LabelSelector selector(@Nullable String text) throws ApiProblem {
        if (text == null || text.isBlank()) {
            return null;
        }
        LabelSelector selector = LabelSelector.parse(text);
        if (selector == null) {
            throw ApiProblem.badRequest(Mistake.query(
                    "labelSelector",
                    "not a valid label selector",
                    "write requirements such as env=prod, env in (prod,stage), !legacy, with commas between them"));
        }
        return selector;
    }

    private static String shown(Question<?> question, Order<?> order) {
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

    // Finding

    private Arranged<R> find(
            Table<?, R> table,
            Question<R> question,
            Order<R> order,
            @Nullable LabelSelector selector,
            Viewer<R> viewer) {
        PageRequest page = question.page();
        SearchText search = SearchText.of(Objects.requireNonNullElse(page.search(), ""));
        String namespace = Objects.requireNonNullElse(page.namespace(), "");
        Set<String> tenants = namespace.isEmpty() ? viewer.namespaces() : Set.of(namespace);
        List<R> few = tenants == null ? null : table.few(tenants);
        Arranged<R> arranged = few == null ? table.arranged(order) : new Arranged<>(few);
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
            // Before the row is a Row to this loop: with several kinds of rows that cast takes longer than a filter.
            if (!filter.test(all.get(at))) {
                continue;
            }
            R row = all.get(at);
            if ((namespace.isEmpty() || namespace.equals(row.namespace()))
                    && viewer.sees(row)
                    && (search.isEmpty() || row.mentions(search))
                    && (selector == null || selector.matches(row.labels()))) {
                found.add(row);
            }
        }
        if (few != null) {
            found.sort(order.comparator());
        }
        return new Arranged<>(found);
    }

    // Cutting

    private Slice<R> first(Arranged<R> found, long query, String shown, int limit, Viewer<R> viewer) {
        List<R> rows = found.rows();
        if (rows.size() <= limit) {
            return new Slice<>(List.copyOf(rows), null, null, 0, rows.size());
        }
        Result<R> result = keep(query, found, viewer);
        return slice(result, shown, 0, limit, rows.subList(0, limit));
    }

    /** Of a result that was made before, only what the caller may see now. */
    private Slice<R> cut(Result<R> result, String shown, int offset, int limit, Viewer<R> viewer) {
        List<R> rows = result.rows();
        int from = Math.min(offset, rows.size());
        int to = Math.min(rows.size(), from + limit);
        List<R> page = rows.subList(from, to).stream().filter(viewer::sees).toList();
        return slice(result, shown, from, limit, page);
    }

    private Slice<R> slice(Result<R> result, String shown, int from, int limit, List<R> page) {
        int total = result.rows().size();
        String next = from + limit < total ? cursor(result, shown, from + limit) : null;
        String previous = from > 0 ? cursor(result, shown, Math.max(0, from - limit)) : null;
        return new Slice<>(List.copyOf(page), next, previous, from, total);
    }

    private String cursor(Result<R> result, String shown, int offset) {
        return new Cursor(result.query(), result.id(), result.arranged().fingerprint(), offset, shown).text();
    }

    // Keeping

    private synchronized @Nullable Result<R> kept(long id) {
        forget();
        return results.get(id);
    }

    private synchronized Result<R> keep(long query, Arranged<R> found, Viewer<R> viewer) {
        Result<R> result = new Result<>(random.nextLong(), query, found, viewer.caller(), nanoTime.getAsLong());
        results.put(result.id(), result);
        rowsKept += result.rows().size();
        forget();
        return result;
    }

    private void forget() {
        long now = nanoTime.getAsLong();
        Iterator<Result<R>> oldest = results.values().iterator();
        while (oldest.hasNext()) {
            Result<R> result = oldest.next();
            if (now - result.made() <= KEPT_NANOS && rowsKept <= MOST_ROWS) {
                break;
            }
            rowsKept -= result.rows().size();
            oldest.remove();
        }
    }

    /** References to rows that are held for pages to come. */
    public synchronized long rowsKept() {
        return rowsKept;
    }
}
