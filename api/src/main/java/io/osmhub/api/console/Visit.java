package io.osmhub.api.console;

import io.osmhub.api.console.Desk.Question;
import io.osmhub.api.http.PageCall;
import io.osmhub.api.problem.ApiProblem;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * Somebody looks at a page, for the first time or again because something changed.
 *
 * @param path parts of the path, by name
 * @param query the question after it, by name; empty values are left out
 * @param address path and question, as the browser shows them
 */
record Visit(
        PageCall call, Desk desk, String address, Map<String, String> path, Map<String, String> query, Instant now) {
    /** Longest value of a parameter that is taken; the contract's names are shorter. */
    private static final int LONGEST = 2_048;

    String part(String name) {
        String part = path.get(name);
        if (part == null) {
            throw new IllegalStateException("the page has no " + name + " in its path");
        }
        return part;
    }

    /** A parameter of the question, without spaces around it; empty when it was not given. */
    String asked(String name) {
        String value = query.getOrDefault(name, "").strip();
        return value.length() <= LONGEST ? value : "";
    }

    /** A parameter that is one of a list of words; empty when it is another. */
    String oneOf(String name, Iterable<String> words) {
        String value = asked(name);
        for (String word : words) {
            if (word.equals(value)) {
                return value;
            }
        }
        return "";
    }

    Answer ask(Question question) throws ApiProblem {
        return desk.ask(call, question);
    }

    Optional<Answer> askIfAllowed(Question question) throws ApiProblem {
        return desk.askIfAllowed(call, question);
    }

    /** The path alone. */
    String here() {
        int question = address.indexOf('?');
        return question < 0 ? address : address.substring(0, question);
    }

    /** The same page with other parameters; an empty value takes one away. The page of a list begins anew. */
    String with(Map<String, String> changes) {
        Map<String, String> all = new LinkedHashMap<>(query);
        all.remove("continue");
        all.putAll(changes);
        return here() + question(all);
    }

    /** Parameters as a question, {@code ?a=b}; empty when there are none. */
    static String question(Map<String, String> parameters) {
        StringBuilder question = new StringBuilder();
        parameters.forEach((name, value) -> {
            if (!value.isEmpty()) {
                question.append(question.isEmpty() ? '?' : '&')
                        .append(Helpers.encoded(name))
                        .append('=')
                        .append(Helpers.encoded(value));
            }
        });
        return question.toString();
    }
}
