package io.osmhub.api.console;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Finds the page of an address. The live channel requests pages by the browser's address. */
final class PageRouter {
    /** A page with its path; segments in braces are parameters. */
    record ConsoleRoute(String path, ConsolePage screen) {}

    /** A matched page with its parameters. */
    record PageMatch(ConsolePage screen, Map<String, String> path, Map<String, String> query) {}

    private static final int MOST_PARAMETERS = 32;

    private final List<ConsoleRoute> routes;

    PageRouter(List<ConsoleRoute> routes) {
        this.routes = List.copyOf(routes);
    }

    List<ConsoleRoute> routes() {
        return routes;
    }

    /** Finds the page of a path and query; empty if there is none. */
    Optional<PageMatch> find(String address) {
        int question = address.indexOf('?');
        String path = question < 0 ? address : address.substring(0, question);
        Map<String, String> query = question < 0 ? Map.of() : parameters(address.substring(question + 1));
        for (ConsoleRoute route : routes) {
            Optional<Map<String, String>> parts = match(route.path(), path);
            if (parts.isPresent()) {
                return Optional.of(new PageMatch(route.screen(), parts.get(), query));
            }
        }
        return Optional.empty();
    }

    private static Optional<Map<String, String>> match(String pattern, String path) {
        String[] wanted = pattern.split("/", -1);
        String[] given = path.split("/", -1);
        if (wanted.length != given.length) {
            return Optional.empty();
        }
        Map<String, String> parts = new LinkedHashMap<>();
        for (int at = 0; at < wanted.length; at++) {
            if (wanted[at].startsWith("{")) {
                if (given[at].isEmpty()) {
                    return Optional.empty();
                }
                parts.put(wanted[at].substring(1, wanted[at].length() - 1), decoded(given[at]));
            } else if (!wanted[at].equals(given[at])) {
                return Optional.empty();
            }
        }
        return Optional.of(parts);
    }

    /** The first value of each parameter. */
    static Map<String, String> parameters(String query) {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : query.split("&", MOST_PARAMETERS)) {
            int equals = pair.indexOf('=');
            if (equals > 0) {
                parameters.putIfAbsent(decoded(pair.substring(0, equals)), decoded(pair.substring(equals + 1)));
            }
        }
        return parameters;
    }

    private static String decoded(String text) {
        try {
            return URLDecoder.decode(text, StandardCharsets.UTF_8);
        } catch (IllegalArgumentException malformed) {
            return text;
        }
    }
}
