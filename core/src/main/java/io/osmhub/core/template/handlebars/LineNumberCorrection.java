package io.osmhub.core.template.handlebars;

/** Corrects the library's positions: it does not count line breaks inside comments, so that the rest appears higher up. */
final class LineNumberCorrection {
    /** A position in a text; line and column from 1. */
    record LineColumn(int line, int column) {}

    private LineNumberCorrection() {}

    /** The real position of one that the library reports; column from 1 too. */
    static LineColumn correctPosition(String text, int line, int column) {
        if (!text.contains("{{!")) {
            return new LineColumn(line, column);
        }
        int counted = 1;
        int lines = 1;
        int at = 0;
        int lineStart = 0;
        // To the start of the library's line.
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
        return new LineColumn(lines, end - lineStart + 1);
    }

    /** The end of the comment that starts at the position; -1 if none does. */
    private static int commentEnd(String text, int at) {
        if (!text.startsWith("{{!", at)) {
            return -1;
        }
        String sign = text.startsWith("{{!--", at) ? "--}}" : "}}";
        int end = text.indexOf(sign, at + 3);
        return end < 0 ? text.length() : end + sign.length();
    }
}
