package io.osmhub.core.version;

/** Scans the tokens of versions and constraints, from left to right. */
final class VersionScanner {
    private static final String OPERATOR_CHARS = "=!<>~^";

    private final String text;
    private int position;

    VersionScanner(String text, int start) {
        this.text = text;
        this.position = start;
    }

    int position() {
        return position;
    }

    boolean atEnd() {
        return position == text.length();
    }

    boolean accept(char wanted) {
        boolean found = position < text.length() && text.charAt(position) == wanted;
        position += found ? 1 : 0;
        return found;
    }

    /** Skips white space; true if there was any. */
    boolean skipBlanks() {
        int start = position;
        while (position < text.length() && " \t\n\f\r".indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        return position > start;
    }

    /** The longest run of operator signs, often empty. */
    String readOperator() {
        int start = position;
        while (position < text.length() && OPERATOR_CHARS.indexOf(text.charAt(position)) >= 0) {
            position++;
        }
        return text.substring(start, position);
    }

    /** A number, or with {@code wildcards} a constraint's wildcard; empty if none. */
    String readNumber(boolean wildcards) {
        int start = position;
        while (position < text.length() && isNumberChar(text.charAt(position), wildcards)) {
            position++;
        }
        return text.substring(start, position);
    }

    /** A dot and a number; if they do not both follow, consumes nothing and returns an empty text. */
    String readNumberAfterDot(boolean wildcards) {
        int start = position;
        String number = accept('.') ? readNumber(wildcards) : "";
        position = number.isEmpty() ? start : position;
        return number;
    }

    /** The identifiers after {@code mark} (a minus or a plus sign), separated by dots; empty if none. */
    String readIdentifiersAfter(char mark) {
        int start = position;
        if (!accept(mark)) {
            return "";
        }
        int end = position;
        do {
            while (position < text.length() && isIdentifierChar(text.charAt(position))) {
                position++;
            }
            if (position == end || text.charAt(position - 1) == '.') {
                break;
            }
            end = position;
        } while (accept('.'));
        position = end == start + 1 ? start : end;
        return end == start + 1 ? "" : text.substring(start + 1, end);
    }

    /** A version that may have wildcards, as its text; empty if none. */
    String readVersion() {
        int start = position;
        accept('v');
        if (readNumber(true).isEmpty()) {
            return "";
        }
        if (!readNumberAfterDot(true).isEmpty()) {
            readNumberAfterDot(true);
        }
        readIdentifiersAfter('-');
        readIdentifiersAfter('+');
        return text.substring(start, position);
    }

    // The bar has no meaning in a number, but the library reads it as a part and then reports "constraint parser
    // error".
    private static boolean isNumberChar(char c, boolean wildcards) {
        return isDigit(c) || (wildcards && "xX*|".indexOf(c) >= 0);
    }

    static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isIdentifierChar(int c) {
        return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '-';
    }
}
