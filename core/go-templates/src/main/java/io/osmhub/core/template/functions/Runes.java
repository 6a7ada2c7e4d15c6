package io.osmhub.core.template.functions;

import io.osmhub.core.golang.text.Utf8Runes;
import java.util.function.IntUnaryOperator;

/**
 * Go's {@code unicode} and {@code strings} packages for characters. Based on categories, not on Java's wider definitions of case.
 */
final class Runes {
    private Runes() {}

    static boolean isSpace(int rune) {
        return switch (rune) {
            case '\t', '\n', 0x0B, '\f', '\r', ' ', 0x85, 0xA0, 0x1680, 0x2028, 0x2029, 0x202F, 0x205F, 0x3000 -> true;
            default -> rune >= 0x2000 && rune <= 0x200A;
        };
    }

    /** The character that starts there; U+FFFD for an invalid byte. Its length is {@link #sizeAt}. */
    static int at(CharSequence bytes, int index) {
        int rune = Utf8Runes.runeAt(bytes, index);
        return rune == Utf8Runes.BROKEN ? Utf8Runes.REPLACEMENT : rune;
    }

    static int sizeAt(CharSequence bytes, int index) {
        return Utf8Runes.size(Utf8Runes.runeAt(bytes, index));
    }

    /** Start of the character that ends before {@code end}. */
    static int startBefore(CharSequence bytes, int end) {
        for (int start = end - 1; start >= 0 && start >= end - 4; start--) {
            if (Utf8Runes.runeAt(bytes, start) != Utf8Runes.BROKEN && start + sizeAt(bytes, start) == end) {
                return start;
            }
        }
        return end - 1;
    }

    /** Maps each character; invalid bytes become U+FFFD. */
    static String map(String bytes, IntUnaryOperator change) {
        StringBuilder changed = new StringBuilder(bytes.length());
        for (int i = 0; i < bytes.length(); i += sizeAt(bytes, i)) {
            Utf8Runes.append(changed, change.applyAsInt(at(bytes, i)));
        }
        return changed.toString();
    }

    static String trimSpace(String bytes) {
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
    static String trim(String bytes, String cutset) {
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
