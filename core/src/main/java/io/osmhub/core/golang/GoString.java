package io.osmhub.core.golang;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/** A Go string. {@code bytes} has one char, 0 to 255, for each byte of the string, which is usually but not necessarily UTF-8. */
public record GoString(GoType type, String bytes) implements GoValue {
    public static final GoString EMPTY = new GoString(GoType.STRING, "");

    /** A {@code string} from bytes as chars. */
    public static GoString ofBytes(String bytes) {
        return bytes.isEmpty() ? EMPTY : new GoString(GoType.STRING, bytes);
    }

    /** A {@code string} from Java text. */
    public static GoString of(String text) {
        return ofBytes(bytes(text));
    }

    /** Java text as UTF-8 bytes, one char each. */
    public static String bytes(String text) {
        return isAscii(text) ? text : new String(text.getBytes(UTF_8), ISO_8859_1);
    }

    /** Java text of UTF-8 bytes; invalid UTF-8 becomes U+FFFD. */
    public static String text(String bytes) {
        return isAscii(bytes) ? bytes : new String(bytes.getBytes(ISO_8859_1), UTF_8);
    }

    /** Checks four characters at a time, which takes less than half the time: every text of a rendering passes here. */
    private static boolean isAscii(String text) {
        int length = text.length();
        int i = 0;
        for (; i + 4 <= length; i += 4) {
            if ((text.charAt(i) | text.charAt(i + 1) | text.charAt(i + 2) | text.charAt(i + 3)) >= 0x80) {
                return false;
            }
        }
        for (; i < length; i++) {
            if (text.charAt(i) >= 0x80) {
                return false;
            }
        }
        return true;
    }

    /** This string as Java text; invalid UTF-8 becomes U+FFFD. */
    public String text() {
        return text(bytes);
    }
}
