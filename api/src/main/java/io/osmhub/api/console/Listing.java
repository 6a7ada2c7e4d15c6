package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** What pages with a list have in common: its filters, its order and its pages. Each view is an address that can be sent on. */
final class Listing {
    static final int ROWS = 50;
    private static final Set<String> SIZES = Set.of("25", "50", "100");

    /** States of worker clusters, worst first. */
    static final List<String> STATES =
            List.of("Unauthorized", "Unreachable", "Degraded", "Connecting", "Paused", "Synced", "Closed");
    /** What happens to new nodes, worst first. */
    static final List<String> NEW_NODES = List.of("Blocked", "Outdated", "AtRisk", "Pending", "Current");

    private static final Set<String> ASCENDING =
            Set.of("name", "profile", "credentialsExpireAt", "shortestToken", "tokenExpiresAt");

    /** A column that may be sorted by. {@code field} is the contract's; empty for none. */
    record Column(String word, String field) {}

    private Listing() {}

    /** Asks for a page of the list. */
    static void page(Visit visit, Question question) {
        String size = visit.asked("limit");
        question.query("limit", SIZES.contains(size) ? size : String.valueOf(ROWS))
                .query("continue", visit.asked("continue"));
    }

    /**
     * Heads of the columns: which is sorted by, and where to sort by another.
     *
     * @param anchor of the list on its page, so that who sorts it still sees it
     */
    static List<Map<String, Object>> columns(Visit visit, List<Column> columns, String usual, String anchor) {
        String sort = visit.asked("sort").isEmpty() ? usual : visit.asked("sort");
        String first = sort.split(",", 2)[0];
        List<Map<String, Object>> heads = new ArrayList<>();
        for (Column column : columns) {
            Map<String, Object> head = new HashMap<>(Map.of("word", column.word()));
            if (!column.field().isEmpty()) {
                boolean down = first.equals("-" + column.field());
                boolean up = first.equals(column.field());
                // Names begin with A, all else with the worst.
                boolean next = down || !up && ASCENDING.contains(column.field());
                head.put("href", visit.with(Map.of("sort", next ? column.field() : "-" + column.field())) + anchor);
                if (down || up) {
                    head.put("sorted", down ? "descending" : "ascending");
                    head.put("arrow", down ? "m-down" : "m-up");
                }
            }
            heads.add(head);
        }
        return heads;
    }

    /** The order that is asked for, if the list can be sorted so. */
    static String sort(Visit visit, List<Column> columns) {
        String sort = visit.asked("sort");
        String field = sort.startsWith("-") ? sort.substring(1) : sort;
        return !field.isEmpty()
                        && columns.stream().anyMatch(column -> column.field().equals(field))
                ? sort
                : "";
    }

    /** Where one is in the list, and the ways from there, to the same place of the page. */
    static Map<String, Object> pager(Visit visit, Answer list, int shown, String anchor) {
        long from = list.number("offset");
        long total = list.has("total") ? list.number("total") : from + shown;
        Map<String, Object> pager = new LinkedHashMap<>();
        pager.put(
                "words",
                "Rows " + Figures.number(from + 1) + "–" + Figures.number(from + shown) + " of "
                        + Figures.number(total));
        if (from > 0) {
            pager.put("first", visit.with(Map.of()) + anchor);
        }
        if (list.has("previous")) {
            pager.put("previous", visit.with(Map.of("continue", list.text("previous"))) + anchor);
        }
        if (list.has("continue")) {
            pager.put("next", visit.with(Map.of("continue", list.text("continue"))) + anchor);
        }
        return pager;
    }

    /** Choices of a field of a form: value and word. */
    static List<Map<String, Object>> choices(String looks, List<String> values) {
        return values.stream()
                .map(value -> Map.<String, Object>of(
                        "value", value, "word", Look.of(looks, value).word()))
                .toList();
    }
}
