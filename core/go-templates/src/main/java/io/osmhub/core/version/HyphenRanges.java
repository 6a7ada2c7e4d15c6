package io.osmhub.core.version;

/** Rewrites {@code 1.2 - 1.4} as two comparisons. */
final class HyphenRanges {
    private HyphenRanges() {}

    static String expand(String text) {
        if (text.indexOf('-') < 0) {
            return text;
        }
        StringBuilder unfolded = new StringBuilder();
        int position = 0;
        while (position < text.length()) {
            int end = range(text, position, unfolded);
            if (end > position) {
                position = end;
            } else {
                unfolded.append(text.charAt(position));
                position++;
            }
        }
        return unfolded.toString();
    }

    /** Appends the comparisons of the range that starts at {@code start}. Returns its end, or {@code start} if there is none. */
    private static int range(String text, int start, StringBuilder unfolded) {
        VersionScanner scanner = new VersionScanner(text, start);
        scanner.skipBlanks();
        String low = version(scanner, text);
        if (low.isEmpty() || !scanner.skipBlanks() || !scanner.accept('-') || !scanner.skipBlanks()) {
            return start;
        }
        String high = version(scanner, text);
        if (high.isEmpty()) {
            return start;
        }
        scanner.skipBlanks();
        unfolded.append(">= ").append(low).append(", <= ").append(high).append(' ');
        return scanner.position();
    }

    private static String version(VersionScanner scanner, String text) {
        int start = scanner.position();
        scanner.accept('v');
        if (scanner.readNumber(true).isEmpty()) {
            return "";
        }
        if (!scanner.readNumberAfterDot(true).isEmpty()) {
            scanner.readNumberAfterDot(true);
        }
        scanner.readIdentifiersAfter('-');
        scanner.readIdentifiersAfter('+');
        return text.substring(start, scanner.position());
    }
}
