package io.osmhub.api.diagnosis;

/**
 * A parsed message: {@code tenant: Kind name, field: what; cure}.
 *
 * @param kind empty if the message names no object
 * @param name with its namespace if it has one
 * @param field with the following text up to the colon; empty for the whole object
 * @param description the cause
 * @param cure empty if the message has none
 */
record ProblemMessage(String kind, String name, String field, String description, String cure) {
    /** Trailing clauses that are not fixes. */
    private static final String[] NO_CURES = {
        "; older content stays in use", "; the hub retries with backoff", "older content stays in use"
    };

    /** Some objects are named with their cluster. */
    private static final String WORKER = "worker cluster, ";

    static ProblemMessage parse(String message) {
        String text = message.substring(afterTenant(message));
        for (String tail : NO_CURES) {
            if (text.endsWith(tail)) {
                text = text.substring(0, text.length() - tail.length());
            }
        }
        if (text.startsWith(WORKER)) {
            text = text.substring(WORKER.length());
        }
        int colon = endOfPlace(text);
        String place = colon < 0 ? "" : text.substring(0, colon);
        String rest = colon < 0 ? text : text.substring(colon + 2);
        int comma = place.indexOf(", ");
        String object = comma < 0 ? place : place.substring(0, comma);
        String field = comma < 0 ? "" : place.substring(comma + 2);
        if (object.equals("worker cluster")) {
            // Not an object, but the location of a missing one.
            object = "";
        }
        int blank = object.lastIndexOf(' ');
        int cut = rest.lastIndexOf("; ");
        return new ProblemMessage(
                blank < 0 ? "" : object.substring(0, blank),
                blank < 0 ? object : object.substring(blank + 1),
                field,
                cut < 0 ? stripped(rest) : rest.substring(0, cut),
                cut < 0 ? "" : stripped(rest.substring(cut + 2)));
    }

    private static String stripped(String text) {
        return text.endsWith(";") ? text.substring(0, text.length() - 1) : text;
    }

    /** The tenant is a namespace, so it ends at the first colon. */
    private static int afterTenant(String message) {
        int colon = message.indexOf(": ");
        return colon < 0 || message.substring(0, colon).contains(" ") ? 0 : colon + 2;
    }

    /** A location ends at the first colon outside of parentheses before a blank. */
    private static int endOfPlace(String text) {
        int open = 0;
        for (int i = 0; i + 1 < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '(') {
                open++;
            } else if (c == ')') {
                open = Math.max(0, open - 1);
            } else if (c == ';') {
                return -1;
            } else if (c == ':' && open == 0 && text.charAt(i + 1) == ' ') {
                return i;
            }
        }
        return -1;
    }
}
