package io.osmhub.core.golang.time;

/** Recognizes zone abbreviations as Go does when parsing a time. */
final class ZoneAbbreviationParser {
    private ZoneAbbreviationParser() {}

    /** Length of the abbreviation at a position of a text; 0 if none. */
    static int lengthAt(String text, int at) {
        int left = text.length() - at;
        if (left < 3) {
            return 0;
        }
        if (text.startsWith("ChST", at) || text.startsWith("MeST", at)) {
            return 4;
        }
        if (text.startsWith("GMT", at)) {
            return 3 + hoursLength(text, at + 3);
        }
        if (text.charAt(at) == '+' || text.charAt(at) == '-') {
            return hoursLength(text, at);
        }
        int letters = 0;
        while (letters < Math.min(left, 6) && isUpper(text.charAt(at + letters))) {
            letters++;
        }
        return switch (letters) {
            case 3 -> 3;
            case 4 -> text.charAt(at + 3) == 'T' || text.startsWith("WITA", at) ? 4 : 0;
            case 5 -> text.charAt(at + 4) == 'T' ? 5 : 0;
            default -> 0;
        };
    }

    private static boolean isUpper(char c) {
        return c >= 'A' && c <= 'Z';
    }

    /** Length of a signed number up to 23; 0 if none. */
    private static int hoursLength(String text, int at) {
        if (at >= text.length() || text.charAt(at) != '+' && text.charAt(at) != '-') {
            return 0;
        }
        int end = at + 1;
        int hours = 0;
        for (; end < text.length() && text.charAt(end) >= '0' && text.charAt(end) <= '9'; end++) {
            hours = Math.min(hours * 10 + text.charAt(end) - '0', 1000);
        }
        return end == at + 1 || hours > 23 ? 0 : end - at;
    }

    /** The hours in a name such as {@code GMT+3}; 0 in any other. */
    static int hoursAfterGmt(String name) {
        return name.length() > 3 && name.startsWith("GMT") ? Integer.parseInt(name.substring(3)) : 0;
    }
}
