package io.osmhub.core.template.handlebars;

import io.osmhub.core.template.TemplateException;
import io.osmhub.core.template.TemplateException.Stage;
import org.jspecify.annotations.Nullable;

/**
 * Rejects texts that the library would need minutes to parse: its time grows with the square of a path's length, and a tag takes
 * about as long as a thousand characters of text.
 */
final class SourceComplexityCheck {
    private static final int MOST_TAGS = 10_000;
    private static final int LONGEST_TAG = 8_000;
    /** Dots and slashes of one path, including parent references. */
    private static final int MOST_SEPARATORS = 48;

    private SourceComplexityCheck() {}

    static void check(String name, String text) throws TemplateException {
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
                throw HandlebarsErrors.of(Stage.PARSE, name, line, open - lineStart + 1, problem, null);
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
