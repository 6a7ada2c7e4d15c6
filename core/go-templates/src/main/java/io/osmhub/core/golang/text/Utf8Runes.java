package io.osmhub.core.golang.text;

import java.util.function.IntUnaryOperator;

/**
 * Characters of byte strings with Go's rules for invalid UTF-8: each invalid byte counts as one character. Case and space go by
 * Unicode's categories, as in Go, not by Java's wider definitions.
 */
public final class Utf8Runes {
    /** Result of {@link #runeAt} at a byte that starts no valid character; it is one byte long. */
    public static final int BROKEN = -1;

    /** Go's {@code utf8.RuneError}, which replaces invalid characters. */
    public static final int REPLACEMENT = 0xFFFD;

    private Utf8Runes() {}

    /** The code point that starts at a byte, or {@link #BROKEN}. */
    public static int runeAt(CharSequence bytes, int at) {
        int lead = bytes.charAt(at);
        if (lead < 0x80) {
            return lead;
        }
        if (lead < 0xC2 || lead > 0xF4) {
            return BROKEN;
        }
        int size = lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
        if (at + size > bytes.length()) {
            return BROKEN;
        }
        int rune = lead & (0x7F >> size);
        for (int i = 1; i < size; i++) {
            int next = bytes.charAt(at + i);
            if ((next & 0xC0) != 0x80) {
                return BROKEN;
            }
            rune = rune << 6 | next & 0x3F;
        }
        // Overlong, a surrogate, or beyond Unicode: invalid.
        return size(rune) == size && isValid(rune) ? rune : BROKEN;
    }

    /** Number of bytes of a code point; 1 for {@link #BROKEN}. */
    public static int size(int rune) {
        return rune < 0x80 ? 1 : rune < 0x800 ? 2 : rune < 0x10000 ? 3 : 4;
    }

    /** Whether UTF-8 can hold that code point. */
    public static boolean isValid(int rune) {
        return rune >= 0 && rune <= Character.MAX_CODE_POINT && (rune < 0xD800 || rune > 0xDFFF);
    }

    /** Whether all of a byte string is UTF-8. */
    public static boolean isValid(CharSequence bytes) {
        for (int i = 0; i < bytes.length(); ) {
            int rune = runeAt(bytes, i);
            if (rune == BROKEN) {
                return false;
            }
            i += size(rune);
        }
        return true;
    }

    /** Number of characters; each invalid byte counts as one. */
    public static int count(CharSequence bytes) {
        int count = 0;
        for (int i = 0; i < bytes.length(); count++) {
            i += bytes.charAt(i) < 0x80 ? 1 : size(runeAt(bytes, i));
        }
        return count;
    }

    /** Appends the bytes of a code point; an invalid one becomes U+FFFD. */
    public static StringBuilder append(StringBuilder to, int codePoint) {
        int rune = isValid(codePoint) ? codePoint : REPLACEMENT;
        switch (size(rune)) {
            case 1 -> to.append((char) rune);
            case 2 -> to.append((char) (0xC0 | rune >> 6));
            case 3 -> to.append((char) (0xE0 | rune >> 12)).append((char) (0x80 | rune >> 6 & 0x3F));
            default ->
                to.append((char) (0xF0 | rune >> 18))
                        .append((char) (0x80 | rune >> 12 & 0x3F))
                        .append((char) (0x80 | rune >> 6 & 0x3F));
        }
        return rune < 0x80 ? to : to.append((char) (0x80 | rune & 0x3F));
    }

    /** Go's {@code unicode.IsSpace}. */
    public static boolean isSpace(int rune) {
        return switch (rune) {
            case '\t', '\n', 0x0B, '\f', '\r', ' ', 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000 -> true;
            default -> rune >= 0x2000 && rune <= 0x200A;
        };
    }

    /** The character that starts there; U+FFFD for an invalid byte. Its length is {@link #sizeAt}. */
    public static int at(CharSequence bytes, int index) {
        int rune = runeAt(bytes, index);
        return rune == BROKEN ? REPLACEMENT : rune;
    }

    /** Number of bytes of the character that starts there. */
    public static int sizeAt(CharSequence bytes, int index) {
        return size(runeAt(bytes, index));
    }

    /** Start of the character that ends before {@code end}. */
    private static int startBefore(CharSequence bytes, int end) {
        for (int start = end - 1; start >= 0 && start >= end - 4; start--) {
            if (runeAt(bytes, start) != BROKEN && start + sizeAt(bytes, start) == end) {
                return start;
            }
        }
        return end - 1;
    }

    /** Maps each character; invalid bytes become U+FFFD. */
    public static String map(String bytes, IntUnaryOperator change) {
        StringBuilder changed = new StringBuilder(bytes.length());
        for (int i = 0; i < bytes.length(); i += sizeAt(bytes, i)) {
            append(changed, change.applyAsInt(at(bytes, i)));
        }
        return changed.toString();
    }

    /** Removes white space at both ends. */
    public static String trimSpace(String bytes) {
        int start = 0;
        int end = bytes.length();
        while (start < end && isSpace(at(bytes, start))) {
            start += sizeAt(bytes, start);
        }
        while (end > start && isSpace(at(bytes, startBefore(bytes, end)))) {
            end = startBefore(bytes, end);
        }
        return bytes.substring(start, end);
    }

    /** Removes the characters of {@code cutset} at both ends; all invalid bytes count as one character there. */
    public static String trim(String bytes, String cutset) {
        int start = 0;
        int end = bytes.length();
        while (start < end && contains(cutset, at(bytes, start))) {
            start += sizeAt(bytes, start);
        }
        while (end > start && contains(cutset, at(bytes, startBefore(bytes, end)))) {
            end = startBefore(bytes, end);
        }
        return bytes.substring(start, end);
    }

    private static boolean contains(String cutset, int rune) {
        for (int i = 0; i < cutset.length(); i += sizeAt(cutset, i)) {
            if (at(cutset, i) == rune) {
                return true;
            }
        }
        return false;
    }
}
