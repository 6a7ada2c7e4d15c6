package io.osmhub.api.paging;

import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A requested page of a list.
 *
 * @param parameters values by name of the contract's query parameter; several values of a filter are alternatives
 */
public record ListQuery(Map<String, List<String>> parameters) {
    /** The first page of all rows in the default order. */
    public static final ListQuery ALL = new ListQuery(Map.of());

    public static final int LARGEST_LIMIT = 500;
    private static final int USUAL_LIMIT = 100;

    public ListQuery {
        parameters = Map.copyOf(parameters);
    }

    /** Returns a copy with another value of a parameter; null removes it. */
    public ListQuery with(String name, @Nullable String value) {
        return withAll(name, value == null ? List.of() : List.of(value));
    }

    /** Returns a copy with other values of a parameter. */
    public ListQuery withAll(String name, List<String> values) {
        Map<String, List<String>> changed = new HashMap<>(parameters);
        changed.put(name, List.copyOf(values));
        return new ListQuery(changed);
    }

    /** Empty if absent. */
    public List<String> values(String name) {
        return parameters.getOrDefault(name, List.of()).stream()
                .filter(value -> !value.isEmpty())
                .toList();
    }

    /** Null if absent. */
    public @Nullable String text(String name) {
        List<String> values = values(name);
        return values.isEmpty() ? null : values.getFirst();
    }

    /**
     * Maximum rows of the page.
     *
     * @throws ApiProblem if it is not a number from 1 to {@link #LARGEST_LIMIT}
     */
    public int limit() throws ApiProblem {
        String limit = text("limit");
        try {
            int rows = limit == null ? USUAL_LIMIT : Integer.parseInt(limit);
            if (rows >= 1 && rows <= LARGEST_LIMIT) {
                return rows;
            }
        } catch (NumberFormatException e) {
            // Reported below like a number that is out of range.
        }
        throw ApiProblem.badRequest(
                RequestError.query("limit", "not a number of rows", "give one from 1 to " + LARGEST_LIMIT));
    }
}
