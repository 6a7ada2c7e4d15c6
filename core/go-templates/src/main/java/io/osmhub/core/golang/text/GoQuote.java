package io.osmhub.core.golang.text;

import io.osmhub.core.golang.GoCallException;
import java.util.HexFormat;

/** Go's quoted strings and characters, as {@code strconv.Quote} writes and {@code strconv.Unquote} reads them. */
public final class GoQuote {
    private static final HexFormat HEX = HexFormat.of();

    /**
     * First and last code points added to Unicode after version 15.0, which Go's tables have. They are printable in this JDK but
     * not in Go. GoQuoteTest compares all of Unicode, and so fails with a newer JDK.
     */
    private static final int[] AFTER_UNICODE_15 = {
        0x897, 0x897, 0x1b4e, 0x1b4f, 0x1b7f, 0x1b7f, 0x1c89, 0x1c8a, 0x2427, 0x2429, 0x2ffc, 0x2fff, 0x31e4, 0x31e5,
        0x31ef, 0x31ef, 0xa7cb, 0xa7cd, 0xa7da, 0xa7dc, 0x105c0, 0x105f3, 0x10d40, 0x10d65, 0x10d69, 0x10d85, 0x10d8e,
        0x10d8f, 0x10ec2, 0x10ec4, 0x10efc, 0x10efc, 0x11380, 0x113e2, 0x116d0, 0x116e3, 0x11bc0, 0x11bf9, 0x11f5a,
        0x11f5a, 0x13460, 0x143fa, 0x16100, 0x16139, 0x16d40, 0x16d79, 0x18cff, 0x18cff, 0x1cc00, 0x1ceb3, 0x1e5d0,
        0x1e5ff, 0x1f8b2, 0x1f8c1, 0x1fa89, 0x1fa89, 0x1fa8f, 0x1fa8f, 0x1fabe, 0x1fabe, 0x1fac6, 0x1fac6, 0x1fadc,
        0x1fadc, 0x1fadf, 0x1fadf, 0x1fae9, 0x1fae9, 0x1fbcb, 0x1fbef, 0x2ebf0, 0x2ee5d
    };

    private GoQuote() {}

    /** {@code strconv.Quote}: in double quotes, with unprintable characters escaped. */
    public static String quote(String bytes) {
        return quote(bytes, false);
    }

    /** As {@link #quote(String)}; with {@code asciiOnly}, all non-ASCII characters are escaped too. */
    static String quote(String bytes, boolean asciiOnly) {
        StringBuilder quoted = new StringBuilder(bytes.length() + bytes.length() / 4 + 2).append('"');
        for (int i = 0; i < bytes.length(); ) {
            int rune = Utf8Runes.runeAt(bytes, i);
            if (rune == Utf8Runes.BROKEN) {
                quoted.append("\\x").append(HEX.toHexDigits(bytes.charAt(i), 2));
            } else {
                appendEscaped(quoted, rune, '"', asciiOnly);
            }
            i += Utf8Runes.size(rune);
        }
        return quoted.append('"').toString();
    }

    /** {@code strconv.QuoteRune}: a character in single quotes. */
    public static String quoteRune(int rune) {
        return quoteRune(rune, false);
    }

    static String quoteRune(int rune, boolean asciiOnly) {
        int valid = Utf8Runes.isValid(rune) ? rune : Utf8Runes.REPLACEMENT;
        StringBuilder quoted = new StringBuilder("'");
        appendEscaped(quoted, valid, '\'', asciiOnly);
        return quoted.append('\'').toString();
    }

    private static void appendEscaped(StringBuilder to, int rune, char quote, boolean asciiOnly) {
        if (rune == quote || rune == '\\') {
            to.append('\\').append((char) rune);
        } else if (isPrint(rune) && (rune < 0x80 || !asciiOnly)) {
            Utf8Runes.append(to, rune);
        } else {
            switch (rune) {
                case 7 -> to.append("\\a");
                case '\b' -> to.append("\\b");
                case '\f' -> to.append("\\f");
                case '\n' -> to.append("\\n");
                case '\r' -> to.append("\\r");
                case '\t' -> to.append("\\t");
                case 11 -> to.append("\\v");
                default -> {
                    if (rune < 0x80) {
                        to.append("\\x").append(HEX.toHexDigits(rune, 2));
                    } else if (rune < 0x10000) {
                        to.append("\\u").append(HEX.toHexDigits(rune, 4));
                    } else {
                        to.append("\\U").append(HEX.toHexDigits(rune, 8));
                    }
                }
            }
        }
    }

    /** {@code strconv.CanBackquote}: one line of UTF-8 without backquote, byte order mark and control characters except tab. */
    public static boolean canBackquote(String bytes) {
        for (int i = 0; i < bytes.length(); ) {
            int rune = Utf8Runes.runeAt(bytes, i);
            if (rune < ' ' && rune != '\t' || rune == '`' || rune == 0x7F || rune == 0xFEFF) {
                return false;
            }
            i += Utf8Runes.size(rune);
        }
        return true;
    }

    /** {@code strconv.IsPrint}: letters, marks, numbers, punctuation, symbols and the ASCII space. */
    public static boolean isPrint(int rune) {
        if (rune < 0x7F) {
            return rune >= ' ';
        }
        boolean visible =
                switch (Character.getType(rune)) {
                    case Character.UNASSIGNED,
                            Character.CONTROL,
                            Character.FORMAT,
                            Character.PRIVATE_USE,
                            Character.SURROGATE,
                            Character.SPACE_SEPARATOR,
                            Character.LINE_SEPARATOR,
                            Character.PARAGRAPH_SEPARATOR -> false;
                    default -> true;
                };
        return visible && !isAfterUnicode15(rune);
    }

    private static boolean isAfterUnicode15(int rune) {
        for (int i = 0; i < AFTER_UNICODE_15.length && AFTER_UNICODE_15[i] <= rune; i += 2) {
            if (rune <= AFTER_UNICODE_15[i + 1]) {
                return true;
            }
        }
        return false;
    }

    /**
     * {@code strconv.Unquote}: the bytes of a Go string in double quotes or backquotes.
     *
     * @throws GoCallException {@code invalid syntax}
     */
    public static String unquote(String literal) throws GoCallException {
        if (literal.startsWith("`")) {
            String body = body(literal, '`');
            if (body.indexOf('`') >= 0) {
                throw invalid();
            }
            return body.replace("\r", "");
        }
        String body = body(literal, '"');
        if (body.indexOf('\\') < 0 && body.indexOf('\n') < 0 && body.indexOf('"') < 0 && Utf8Runes.isValid(body)) {
            return body;
        }
        Escapes escapes = new Escapes(body, '"');
        StringBuilder text = new StringBuilder(body.length());
        while (!escapes.atEnd()) {
            escapes.appendNext(text);
        }
        return text.toString();
    }

    /**
     * The value of a character literal such as {@code 'a'} for a template's character constant; {@code '\xff'} is 255.
     *
     * @throws GoCallException {@code invalid syntax}
     */
    public static int characterValue(String literal) throws GoCallException {
        Escapes escapes = new Escapes(body(literal, '\''), '\'');
        int value = escapes.next();
        if (!escapes.atEnd()) {
            throw invalid();
        }
        return value;
    }

    private static String body(String literal, char quote) throws GoCallException {
        int end = literal.length() - 1;
        if (end < 1 || literal.charAt(0) != quote || literal.charAt(end) != quote) {
            throw invalid();
        }
        return literal.substring(1, end);
    }

    private static GoCallException invalid() {
        return new GoCallException("invalid syntax");
    }

    /** Parses a literal's body, one character or escape at a time. */
    private static final class Escapes {
        private final String body;
        private final char quote;
        private int at;

        /** Whether the last value is a byte, such as {@code \xff}, and not a character. */
        private boolean isByte;

        Escapes(String body, char quote) {
            this.body = body;
            this.quote = quote;
        }

        boolean atEnd() {
            return at >= body.length();
        }

        void appendNext(StringBuilder to) throws GoCallException {
            int value = next();
            if (isByte) {
                to.append((char) value);
            } else {
                Utf8Runes.append(to, value);
            }
        }

        int next() throws GoCallException {
            isByte = false;
            int rune = take();
            if (rune == quote || rune == '\n') {
                throw invalid();
            }
            return rune == '\\' ? escape() : rune == Utf8Runes.BROKEN ? Utf8Runes.REPLACEMENT : rune;
        }

        private int escape() throws GoCallException {
            int letter = take();
            return switch (letter) {
                case 'a' -> 7;
                case 'b' -> '\b';
                case 'f' -> '\f';
                case 'n' -> '\n';
                case 'r' -> '\r';
                case 't' -> '\t';
                case 'v' -> 11;
                case '\\' -> '\\';
                case 'x' -> {
                    isByte = true;
                    yield digits(0, 2, 16);
                }
                case 'u', 'U' -> {
                    int value = digits(0, letter == 'u' ? 4 : 8, 16);
                    if (!Utf8Runes.isValid(value)) {
                        throw invalid();
                    }
                    yield value;
                }
                case '0', '1', '2', '3', '4', '5', '6', '7' -> {
                    isByte = true;
                    int value = digits(letter - '0', 2, 8);
                    if (value > 0xFF) {
                        throw invalid();
                    }
                    yield value;
                }
                default -> {
                    if (letter != quote) {
                        throw invalid();
                    }
                    yield letter;
                }
            };
        }

        private int digits(int start, int count, int base) throws GoCallException {
            long value = start;
            for (int i = 0; i < count; i++) {
                int digit = atEnd() ? -1 : Character.digit(body.charAt(at++), base);
                if (digit < 0) {
                    throw invalid();
                }
                value = value * base + digit;
            }
            return (int) Math.min(value, Integer.MAX_VALUE);
        }

        private int take() throws GoCallException {
            if (atEnd()) {
                throw invalid();
            }
            int rune = Utf8Runes.runeAt(body, at);
            at += Utf8Runes.size(rune);
            return rune;
        }
    }
}
