package io.osmhub.api.console;

import io.osmhub.api.console.InProcessApi.OperationRequest;
import io.osmhub.api.http.PageCall;
import io.osmhub.api.problem.ApiProblem;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * A page view, initial or refreshed after a change.
 *
 * @param path path parameters by name
 * @param query query parameters by name, without empty values
 * @param address path and query, as the browser shows them
 */
record PageContext(
        PageCall call,
        InProcessApi desk,
        String address,
        Map<String, String> path,
        Map<String, String> query,
        Instant now) {
    /** Maximum length of an accepted parameter; the contract's names are shorter. */
    private static final int LONGEST = 2_048;

    String pathPart(String name) {
        String part = path.get(name);
        if (part == null) {
            throw new IllegalStateException("the page has no " + name + " in its path");
        }
        return part;
    }

    /** A trimmed query parameter; empty if absent. */
    String queryText(String name) {
        String value = query.getOrDefault(name, "").strip();
        return value.length() <= LONGEST ? value : "";
    }

    /** A parameter restricted to these words; empty for any other value. */
    String oneOf(String name, Iterable<String> words) {
        String value = queryText(name);
        for (String word : words) {
            if (word.equals(value)) {
                return value;
            }
        }
        return "";
    }

    ReplyTree call(OperationRequest question) throws ApiProblem {
        return desk.call(call, question);
    }

    Optional<ReplyTree> callIfAllowed(OperationRequest question) throws ApiProblem {
        return desk.callIfAllowed(call, question);
    }

    /** The path only. */
    String currentPath() {
        int question = address.indexOf('?');
        return question < 0 ? address : address.substring(0, question);
    }

    /** The same page with other parameters; an empty value removes one. Resets paging. */
    String withParameters(Map<String, String> changes) {
        Map<String, String> all = new LinkedHashMap<>(query);
        all.remove("continue");
        all.putAll(changes);
        return currentPath() + question(all);
    }

    /** Parameters as a query, {@code ?a=b}; empty if there are none. */
    static String question(Map<String, String> parameters) {
        StringBuilder question = new StringBuilder();
        parameters.forEach((name, value) -> {
            if (!value.isEmpty()) {
                question.append(question.isEmpty() ? '?' : '&')
                        .append(TemplateHelpers.encoded(name))
                        .append('=')
                        .append(TemplateHelpers.encoded(value));
            }
        });
        return question.toString();
    }
}
