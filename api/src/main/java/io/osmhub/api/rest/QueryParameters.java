package io.osmhub.api.rest;

import io.osmhub.api.http.Call;
import io.osmhub.api.paging.PageRequest;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.api.problem.RequestError;
import io.osmhub.api.schema.ApiJson;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SpellingSuggestion;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Request parameters for inventory queries; their formats are already validated against the contract. */
final class QueryParameters {
    private final Call call;

    QueryParameters(Call call) {
        this.call = call;
    }

    PageRequest page() throws ApiProblem {
        return new PageRequest(
                limit(), text("continue"), text("sort"), text("search"), text("labelSelector"), text("namespace"));
    }

    int limit() throws ApiProblem {
        String limit = text("limit");
        try {
            int rows = limit == null ? PageRequest.USUAL_LIMIT : Integer.parseInt(limit);
            if (rows >= 1 && rows <= PageRequest.LARGEST_LIMIT) {
                return rows;
            }
        } catch (NumberFormatException e) {
            // Reported below like a number that is out of range.
        }
        throw ApiProblem.badRequest(
                RequestError.query("limit", "not a number of rows", "give one from 1 to " + PageRequest.LARGEST_LIMIT));
    }

    /** Null if absent or empty. */
    @Nullable String text(String name) {
        return call.query(name).filter(value -> !value.isEmpty()).orElse(null);
    }

    <E extends Enum<E>> @Nullable E constant(String name, Class<E> type) throws ApiProblem {
        String word = text(name);
        return word == null ? null : constant(name, type, word);
    }

    <E extends Enum<E>> Set<E> constants(String name, Class<E> type) throws ApiProblem {
        Set<E> constants = EnumSet.noneOf(type);
        for (String word : call.queryList(name)) {
            constants.add(constant(name, type, word));
        }
        return constants;
    }

    private static <E extends Enum<E>> E constant(String name, Class<E> type, String word) throws ApiProblem {
        List<String> words =
                Arrays.stream(type.getEnumConstants()).map(ApiJson::word).toList();
        return ApiJson.constant(type, word)
                .orElseThrow(() -> ApiProblem.badRequest(
                        RequestError.query(name, "this is not one of its values", "use " + String.join(", ", words))));
    }

    @Nullable Reason reason() throws ApiProblem {
        String word = text("reason");
        if (word == null) {
            return null;
        }
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
}
