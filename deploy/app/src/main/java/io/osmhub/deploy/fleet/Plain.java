package io.osmhub.deploy.fleet;

/** Text from anywhere, made harmless for a terminal: no control characters, no marks that change the reading direction. */
public final class Plain {
    private Plain() {}

    /** One line; line breaks and tabs become blanks, whatever else steers a terminal is left out. */
    public static String line(String text) {
        if (text.codePoints().noneMatch(Plain::steers)) {
            return text;
        }
        StringBuilder plain = new StringBuilder(text.length());
        text.codePoints()
                .filter(c -> !steers(c) || isBreak(c))
                .forEach(c -> plain.appendCodePoint(isBreak(c) ? ' ' : c));
        return plain.toString();
    }

    /** JSON with what steers a terminal escaped, which says the same. */
    static String json(String text) {
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
