package io.osmhub.core.emit;

/** Reads UTF-8 from strings that hold one byte in each char. What is valid is what Go takes as valid. */
public final class Utf8Bytes {
    private Utf8Bytes() {}

    /** Number of bytes of the valid encoding that begins at {@code i}; 0 when there is none. */
    public static int length(String bytes, int i) {
        char first = bytes.charAt(i);
        if (first < 0x80) {
            return 1;
        }
        if (first >= 0xC2 && first < 0xE0) {
            return continuation(bytes, i + 1, 0x80, 0xBF) ? 2 : 0;
        }
        if (first >= 0xE0 && first < 0xF0) {
            int low = first == 0xE0 ? 0xA0 : 0x80; // no overlong forms
            int high = first == 0xED ? 0x9F : 0xBF; // no surrogates
            return continuation(bytes, i + 1, low, high) && continuation(bytes, i + 2, 0x80, 0xBF) ? 3 : 0;
        }
        if (first >= 0xF0 && first < 0xF5) {
            int low = first == 0xF0 ? 0x90 : 0x80;
            int high = first == 0xF4 ? 0x8F : 0xBF; // nothing above U+10FFFF
            return continuation(bytes, i + 1, low, high)
                            && continuation(bytes, i + 2, 0x80, 0xBF)
                            && continuation(bytes, i + 3, 0x80, 0xBF)
                    ? 4
                    : 0;
        }
        return 0;
    }

    private static boolean continuation(String bytes, int i, int low, int high) {
        return i < bytes.length() && bytes.charAt(i) >= low && bytes.charAt(i) <= high;
    }

    /** The code point of the encoding at {@code i} with the length that {@link #length} gave. */
    public static int decode(String bytes, int i, int length) {
        return switch (length) {
            case 1 -> bytes.charAt(i);
            case 2 -> (bytes.charAt(i) & 0x1F) << 6 | (bytes.charAt(i + 1) & 0x3F);
            case 3 -> (bytes.charAt(i) & 0x0F) << 12 | (bytes.charAt(i + 1) & 0x3F) << 6 | (bytes.charAt(i + 2) & 0x3F);
            default ->
                (bytes.charAt(i) & 0x07) << 18
                        | (bytes.charAt(i + 1) & 0x3F) << 12
                        | (bytes.charAt(i + 2) & 0x3F) << 6
                        | (bytes.charAt(i + 3) & 0x3F);
        };
    }

    /** Appends the encoding of a code point. */
    public static void append(StringBuilder out, int codePoint) {
        if (codePoint < 0x80) {
            out.append((char) codePoint);
        } else if (codePoint < 0x800) {
            out.append((char) (0xC0 | codePoint >> 6)).append(continuation(codePoint));
        } else if (codePoint < 0x10000) {
            out.append((char) (0xE0 | codePoint >> 12))
                    .append(continuation(codePoint >> 6))
                    .append(continuation(codePoint));
        } else {
            out.append((char) (0xF0 | codePoint >> 18))
                    .append(continuation(codePoint >> 12))
                    .append(continuation(codePoint >> 6))
                    .append(continuation(codePoint));
        }
    }

    private static char continuation(int bits) {
        return (char) (0x80 | (bits & 0x3F));
    }

    /** Whether all of the string is valid. */
    public static boolean isValid(String bytes) {
        int i = 0;
        while (i < bytes.length()) {
            int length = length(bytes, i);
            if (length == 0) {
                return false;
            }
            i += length;
        }
        return true;
    }
}
