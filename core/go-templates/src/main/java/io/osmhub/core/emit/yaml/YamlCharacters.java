package io.osmhub.core.emit.yaml;

/** What YAML takes characters for, over UTF-8 with one byte in each char. Past the end every question is answered with no. */
final class YamlCharacters {
    private YamlCharacters() {}

    /** Bytes of the encoding that begins with this byte, without a check of the rest. */
    static int width(char first) {
        if (first < 0x80) {
            return 1;
        }
        if (first < 0xE0) {
            return 2;
        }
        return first < 0xF0 ? 3 : 4;
    }

    /**
     * Bytes of the line break at {@code i}, 0 when there is none. In addition to LF and CR: next line, line separator, paragraph
     * separator. CR LF counts as two.
     */
    static int lineBreak(CharSequence text, int i) {
        if (i >= text.length()) {
            return 0;
        }
        return switch (text.charAt(i)) {
            case '\n', '\r' -> 1;
            case 0xC2 -> i + 1 < text.length() && text.charAt(i + 1) == 0x85 ? 2 : 0;
            case 0xE2 ->
                i + 2 < text.length()
                                && text.charAt(i + 1) == 0x80
                                && (text.charAt(i + 2) == 0xA8 || text.charAt(i + 2) == 0xA9)
                        ? 3
                        : 0;
            default -> 0;
        };
    }

    static boolean isSpace(CharSequence text, int i) {
        return i < text.length() && text.charAt(i) == ' ';
    }

    /** A blank, a line break or the end. */
    static boolean isBlankOrEnd(CharSequence text, int i) {
        if (i >= text.length()) {
            return true;
        }
        char c = text.charAt(i);
        return c == ' ' || c == '\t' || c == 0 || lineBreak(text, i) > 0;
    }

    /** Whether the character may stand unescaped; nothing beyond U+FFFF may. */
    static boolean isPrintable(CharSequence text, int i) {
        char c = text.charAt(i);
        if (c < 0x80) {
            return c == '\n' || (c >= 0x20 && c < 0x7F);
        }
        char second = text.charAt(i + 1);
        return switch (c) {
            case 0xC2 -> second >= 0xA0;
            case 0xED -> second < 0xA0;
            case 0xEF -> !isByteOrderMark(text, i) && !(second == 0xBF && text.charAt(i + 2) >= 0xBE);
            default -> c > 0xC2 && c < 0xF0;
        };
    }

    static boolean isByteOrderMark(CharSequence text, int i) {
        return i + 2 < text.length()
                && text.charAt(i) == 0xEF
                && text.charAt(i + 1) == 0xBB
                && text.charAt(i + 2) == 0xBF;
    }
}
