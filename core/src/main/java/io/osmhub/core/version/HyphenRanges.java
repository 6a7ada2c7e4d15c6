package io.osmhub.core.version;

/** Writes {@code 1.2 - 1.4} as the two comparisons that it stands for. */
final class HyphenRanges {
    private HyphenRanges() {}

    static String unfold(String text) {
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

    /** Appends the comparisons of the range that begins at {@code start}; answers its end, or {@code start} if there is none. */
    private static int range(String text, int start, StringBuilder unfolded) {
        VersionScanner scanner = new VersionScanner(text, start);
        scanner.blanks();
        String low = version(scanner, text);
        if (low.isEmpty() || !scanner.blanks() || !scanner.accept('-') || !scanner.blanks()) {
            return start;
        }
        String high = version(scanner, text);
        if (high.isEmpty()) {
            return start;
        }
        scanner.blanks();
        unfolded.append(">= ").append(low).append(", <= ").append(high).append(' ');
        return scanner.position();
    }

    private static String version(VersionScanner scanner, String text) {
        int start = scanner.position();
        scanner.accept('v');
        if (scanner.number(true).isEmpty()) {
            return "";
        }
        if (!scanner.numberAfterDot(true).isEmpty()) {
            scanner.numberAfterDot(true);
        }
        scanner.identifiersAfter('-');
        scanner.identifiersAfter('+');
        return text.substring(start, scanner.position());
    }
}
