package io.osmhub.core.template.handlebars;

/**
 * Real places for the library's: it does not count the line breaks inside comments, so that everything behind a comment of several
 * lines seems to be higher up.
 */
final class LineCount {
    /** A place in a text; line and column from 1. */
    record Place(int line, int column) {}

    private LineCount() {}

    /** The real place of one that the library says; column from 1 too. */
    static Place real(String text, int line, int column) {
        if (!text.contains("{{!")) {
            return new Place(line, column);
        }
        int counted = 1;
        int lines = 1;
        int at = 0;
        int lineStart = 0;
        // To the beginning of the library's line.
        while (at < text.length() && counted < line) {
            int comment = commentEnd(text, at);
            for (int end = Math.max(comment, at + 1); at < end; at++) {
                if (text.charAt(at) == '\n') {
                    lines++;
                    lineStart = at + 1;
                    counted += comment < 0 ? 1 : 0;
                }
            }
        }
        int end = Math.min(text.length(), at + column - 1);
        for (; at < end; at++) {
            if (text.charAt(at) == '\n') {
                lines++;
                lineStart = at + 1;
            }
        }
        return new Place(lines, end - lineStart + 1);
    }

    /** Behind the comment that begins there; -1 when none does. */
    private static int commentEnd(String text, int at) {
        if (!text.startsWith("{{!", at)) {
            return -1;
        }
        String sign = text.startsWith("{{!--", at) ? "--}}" : "}}";
        int end = text.indexOf(sign, at + 3);
        return end < 0 ? text.length() : end + sign.length();
    }
}
