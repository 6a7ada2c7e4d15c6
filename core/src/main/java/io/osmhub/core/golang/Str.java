package io.osmhub.core.golang;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

/** A Go string. {@code bytes} has one char, 0 to 255, for each byte of the string, which is UTF-8 by habit and not by rule. */
public record Str(Type type, String bytes) implements Value {
    public static final Str EMPTY = new Str(Type.STRING, "");

    /** A {@code string} from bytes as chars. */
    public static Str ofBytes(String bytes) {
        return bytes.isEmpty() ? EMPTY : new Str(Type.STRING, bytes);
    }

    /** A {@code string} from Java text. */
    public static Str of(String text) {
        return ofBytes(bytes(text));
    }

    /** Java text as UTF-8 bytes, one char each. */
    public static String bytes(String text) {
        for (int i = 0; i < text.length(); i++) {
            if (text.charAt(i) >= 0x80) {
                return new String(text.getBytes(UTF_8), ISO_8859_1);
            }
        }
        return text;
    }

    /** Java text of UTF-8 bytes; what is no UTF-8 becomes U+FFFD. */
    public static String text(String bytes) {
        for (int i = 0; i < bytes.length(); i++) {
            if (bytes.charAt(i) >= 0x80) {
                return new String(bytes.getBytes(ISO_8859_1), UTF_8);
            }
        }
        return bytes;
    }

    /** This string as Java text; what is no UTF-8 becomes U+FFFD. */
    public String text() {
        return text(bytes);
    }
}
