package io.osmhub.deploy.fleet;

/** Makes untrusted text safe for a terminal: removes control characters and bidirectional marks. */
public final class TerminalSanitizer {
    private TerminalSanitizer() {}

    /** One line: line breaks and tabs become blanks, other control characters are removed. */
    public static String sanitizeLine(String text) {
        if (text.codePoints().noneMatch(TerminalSanitizer::steers)) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints()
                .filter(c -> !steers(c) || isBreak(c))
                .forEach(c -> plain.appendCodePoint(isBreak(c) ? ' ' : c));
        return plain.toString();
    }

    /** Text of several lines: control characters other than line breaks and tabs are removed. */
    static String sanitizeText(String text) {
        if (text.codePoints().noneMatch(c -> steers(c) && c != '\n' && c != '\t')) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints().filter(c -> !steers(c) || c == '\n' || c == '\t').forEach(plain::appendCodePoint);
        return plain.toString();
    }

    /** JSON with control characters escaped; equivalent to the input. */
    static String sanitizeJson(String text) {
        if (text.codePoints().noneMatch(c -> steers(c) && c != '\n')) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        text.chars().forEach(c -> {
            if (c != '\n' && (steers(c) || Character.isSurrogate((char) c))) {
                plain.append(String.format("\\u%04x", c));
            } else {
                plain.append((char) c);
            }
        });
        return plain.toString();
    }

    private static boolean isBreak(int c) {
        return c == '\n' || c == '\t' || c == 0x2028 || c == 0x2029;
    }

    private static boolean steers(int c) {
        return Character.isISOControl(c) || Character.getType(c) == Character.FORMAT || c == 0x2028 || c == 0x2029;
    }
}
