package io.osmhub.core.userdata;

/** Unicode's White_Space property, as trimmed by Go. Java's two definitions both miss a few characters. */
final class UnicodeWhitespace {
    private UnicodeWhitespace() {}

    static boolean isSpace(char c) {
        return c == ' ' || c >= '\t' && c <= '\r' || c == 0x85 || c == 0xA0 || c > 0xFF && Character.isSpaceChar(c);
    }

    static String trim(String text) {
        int start = 0;
        int end = text.length();
        while (start < end && isSpace(text.charAt(start))) {
            start++;
        }
        while (end > start && isSpace(text.charAt(end - 1))) {
            end--;
        }
        return text.substring(start, end);
    }

    static boolean isBlank(String text) {
        return trim(text).isEmpty();
    }
}
