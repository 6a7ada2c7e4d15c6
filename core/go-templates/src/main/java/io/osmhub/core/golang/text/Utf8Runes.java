package io.osmhub.core.golang.text;

/** Reads and writes characters in byte strings with Go's rules for invalid UTF-8: each invalid byte counts as one character. */
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
}
