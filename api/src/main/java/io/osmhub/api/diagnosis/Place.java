package io.osmhub.api.diagnosis;

/**
 * A message taken apart: {@code tenant: Kind name, field: what; cure}.
 *
 * @param kind empty when the message names no object
 * @param name with its namespace where it has one
 * @param field with what follows it up to the colon; empty when it is about the whole
 * @param what the cause
 * @param cure empty when the message has none
 */
record Place(String kind, String name, String field, String what, String cure) {
    /** What some messages end with that is no cure. */
    private static final String[] NO_CURES = {
        "; older content stays in use", "; the hub goes on with growing pauses", "older content stays in use"
    };

    /** Some objects are named with the cluster that they are in. */
    private static final String WORKER = "worker cluster, ";

    static Place in(String message) {
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
            // No object, but the place of one that is missing.
            object = "";
        }
        int blank = object.lastIndexOf(' ');
        int cut = rest.lastIndexOf("; ");
        return new Place(
                blank < 0 ? "" : object.substring(0, blank),
                blank < 0 ? object : object.substring(blank + 1),
                field,
                cut < 0 ? stripped(rest) : rest.substring(0, cut),
                cut < 0 ? "" : stripped(rest.substring(cut + 2)));
    }

    private static String stripped(String text) {
        return text.endsWith(";") ? text.substring(0, text.length() - 1) : text;
    }

    /** The tenant is a namespace, so that the first colon ends it. */
    private static int afterTenant(String message) {
        int colon = message.indexOf(": ");
        return colon < 0 || message.substring(0, colon).contains(" ") ? 0 : colon + 2;
    }

    /** A place ends at the first colon outside of parentheses that a blank follows. */
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
