package io.osmhub.api.console;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Which page an address means. The live channel asks for pages by the address that the browser shows. */
final class Screens {
    /** A page with its address; parts in braces are named. */
    record Route(String path, Screen screen) {}

    /** A page that was found, with the parts of its address. */
    record Found(Screen screen, Map<String, String> path, Map<String, String> query) {}

    private static final int MOST_PARAMETERS = 32;

    private final List<Route> routes;

    Screens(List<Route> routes) {
        this.routes = List.copyOf(routes);
    }

    List<Route> routes() {
        return routes;
    }

    /** Finds the page of a path with its question; empty when there is none. */
    Optional<Found> find(String address) {
        int question = address.indexOf('?');
        String path = question < 0 ? address : address.substring(0, question);
        Map<String, String> query = question < 0 ? Map.of() : parameters(address.substring(question + 1));
        for (Route route : routes) {
            Optional<Map<String, String>> parts = match(route.path(), path);
            if (parts.isPresent()) {
                return Optional.of(new Found(route.screen(), parts.get(), query));
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
