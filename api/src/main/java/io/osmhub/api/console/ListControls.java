package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.problem.ApiProblem;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;

/** Filters, order and paging of lists. Each view has an address that can be shared. */
final class ListControls {
    static final int ROWS = 50;
    private static final Set<String> SIZES = Set.of("25", "50", "100");

    /** States of worker clusters, worst first. */
    static final List<String> STATES =
            List.of("Unauthorized", "Unreachable", "Degraded", "Connecting", "Paused", "Synced", "Closed");
    /** Effects on new nodes, worst first. */
    static final List<String> NEW_NODES = List.of("Blocked", "Outdated", "AtRisk", "Pending", "Current");

    private static final Set<String> ASCENDING =
            Set.of("name", "profile", "credentialsExpireAt", "shortestToken", "tokenExpiresAt");

    /** A sortable column. {@code field} is the contract's; empty if not sortable. */
    record Column(String word, String field) {}

    private ListControls() {}

    /** Adds the paging parameters to a list request. */
    static void page(PageContext visit, OperationRequest question) {
        String size = visit.queryText("limit");
        question.query("limit", SIZES.contains(size) ? size : String.valueOf(ROWS))
                .query("continue", visit.queryText("continue"));
    }

    /**
     * Adds a page of a list to a model: the rows as {@code items}, and their pager.
     *
     * @param anchor of the list on its page, which stays in view after paging
     * @return the number of objects on all pages, or of these rows if it is unknown
     */
    static long addRows(
            PageContext visit,
            OperationRequest question,
            String anchor,
            Function<ReplyTree, Map<String, Object>> row,
            Map<String, Object> model)
            throws ApiProblem {
        page(visit, question);
        ReplyTree list = visit.call(question);
        List<Map<String, Object>> rows = list.list("items").stream().map(row).toList();
        model.put("items", rows);
        model.put("pager", pager(visit, list, rows.size(), anchor));
        return list.has("total") ? list.number("total") : rows.size();
    }

    /**
     * Column headers: the current order, and links to other orders.
     *
     * @param anchor of the list on its page, which stays in view after sorting
     */
    static List<Map<String, Object>> columns(PageContext visit, List<Column> columns, String usual, String anchor) {
        String sort = visit.queryText("sort").isEmpty() ? usual : visit.queryText("sort");
        String first = sort.split(",", 2)[0];
        List<Map<String, Object>> heads = new ArrayList<>();
        for (Column column : columns) {
            Map<String, Object> head = new HashMap<>(Map.of("word", column.word()));
            if (!column.field().isEmpty()) {
                boolean down = first.equals("-" + column.field());
                boolean up = first.equals(column.field());
                // Names start ascending, everything else worst first.
                boolean next = down || !up && ASCENDING.contains(column.field());
                head.put(
                        "href",
                        visit.withParameters(Map.of("sort", next ? column.field() : "-" + column.field())) + anchor);
                if (down || up) {
                    head.put("sorted", down ? "descending" : "ascending");
                    head.put("arrow", down ? "m-down" : "m-up");
                }
            }
            heads.add(head);
        }
        return heads;
    }

    /** The requested order, if the list supports it. */
    static String sort(PageContext visit, List<Column> columns) {
        String sort = visit.queryText("sort");
        String field = sort.startsWith("-") ? sort.substring(1) : sort;
        return !field.isEmpty()
                        && columns.stream().anyMatch(column -> column.field().equals(field))
                ? sort
                : "";
    }

    /** The position in the list, and links to its neighbours, to the same anchor. */
    static Map<String, Object> pager(PageContext visit, ReplyTree list, int shown, String anchor) {
        long from = list.number("offset");
        long total = list.has("total") ? list.number("total") : from + shown;
        List<String> unanswered = list.texts("unanswered");
        Map<String, Object> pager = new LinkedHashMap<>();
        pager.put(
                "words",
                "Rows " + NumberFormats.number(from + 1) + "–" + NumberFormats.number(from + shown) + " of "
                        + NumberFormats.number(total)
                        + (unanswered.isEmpty()
                                ? ""
                                : ". Replica " + String.join(", ", unanswered)
                                        + " of the hub did not answer: its live values are missing"));
        if (from > 0) {
            pager.put("first", visit.withParameters(Map.of()) + anchor);
        }
        if (list.has("previous")) {
            pager.put("previous", visit.withParameters(Map.of("continue", list.text("previous"))) + anchor);
        }
        if (list.has("continue")) {
            pager.put("next", visit.withParameters(Map.of("continue", list.text("continue"))) + anchor);
        }
        return pager;
    }

    /** Options of a form field: value and label. */
    static List<Map<String, Object>> choices(String looks, List<String> values) {
        return values.stream()
                .map(value -> Map.<String, Object>of(
                        "value", value, "word", StateBadge.of(looks, value).word()))
                .toList();
    }
}
