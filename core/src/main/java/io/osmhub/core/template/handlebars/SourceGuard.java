package io.osmhub.core.template.handlebars;

import io.osmhub.core.template.TemplateFailure;
import io.osmhub.core.template.TemplateFailure.Stage;
import org.jspecify.annotations.Nullable;

/**
 * Refuses texts that the library would need minutes to parse, before it is given them: it takes time with the square of a path's
 * length, and about as long for each tag as for a thousand characters of text.
 */
final class SourceGuard {
    private static final int MOST_TAGS = 10_000;
    private static final int LONGEST_TAG = 8_000;
    /** Dots and slashes of one path, the ways outwards among them. */
    private static final int MOST_SEPARATORS = 48;

    private SourceGuard() {}

    static void check(String name, String text) throws TemplateFailure {
        int tags = 0;
        int line = 1;
        int lineStart = 0;
        int counted = 0;
        for (int open = text.indexOf("{{"); open >= 0; ) {
            for (; counted < open; counted++) {
                if (text.charAt(counted) == '\n') {
                    line++;
                    lineStart = counted + 1;
                }
            }
            int close = text.indexOf("}}", open);
            int end = close < 0 ? text.length() : close;
            String problem = ++tags > MOST_TAGS ? "more than " + MOST_TAGS + " tags" : problem(text, open, end);
            if (problem != null) {
                throw Failures.of(Stage.PARSE, name, line, open - lineStart + 1, problem, null);
            }
            open = text.indexOf("{{", Math.max(end, open + 2));
        }
    }

    private static @Nullable String problem(String text, int open, int end) {
        boolean comment = text.startsWith("!", open + 2) || text.startsWith("~!", open + 2);
        if (comment) {
            return null;
        }
        if (end - open > LONGEST_TAG) {
            return "a tag of more than " + LONGEST_TAG + " characters";
        }
        int parts = 0;
        for (int i = open; i < end; i++) {
            char c = text.charAt(i);
            if (" \t\r\n()=|\"'".indexOf(c) >= 0) {
                parts = 0;
            } else if (c == '.' || c == '/') {
                parts++;
                if (parts > MOST_SEPARATORS) {
                    return "a path with too many parts";
                }
            }
        }
        return null;
    }
}
