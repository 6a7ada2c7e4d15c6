package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.HexFormat;
import org.jspecify.annotations.Nullable;

/** Writes UTF-8 bytes as {@code %XX}, except letters, digits and a few characters. */
final class PercentEncoding {
    private static final String LETTERS_AND_DIGITS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";

    /** The unescaped characters in a data URL of the Ignition conversion. */
    static final PercentEncoding DATA_URL = new PercentEncoding("-_.!~*'()");

    /** Replacement of each byte; null for itself. */
    private final @Nullable String[] encoded = new @Nullable String[256];

    private PercentEncoding(String staying) {
        HexFormat hex = HexFormat.of().withUpperCase();
        for (int each = 0; each < encoded.length; each++) {
            if (LETTERS_AND_DIGITS.indexOf(each) < 0 && staying.indexOf(each) < 0) {
                encoded[each] = "%" + hex.toHexDigits((byte) each);
            }
        }
    }

    void append(StringBuilder out, String text) {
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80) {
                out.append(text, from, i);
                appendBytes(out, text.substring(i).getBytes(UTF_8));
                return;
            }
            String code = encoded[c];
            if (code != null) {
                out.append(text, from, i).append(code);
                from = i + 1;
            }
        }
        out.append(text, from, text.length());
    }

    private void appendBytes(StringBuilder out, byte[] bytes) {
        for (byte each : bytes) {
            String code = encoded[each & 0xFF];
            if (code == null) {
                out.append((char) each);
            } else {
                out.append(code);
            }
        }
    }
}
