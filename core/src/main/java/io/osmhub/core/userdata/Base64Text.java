package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/** Appends a text's UTF-8 bytes in standard base64 on one line, without a copy of either: most of a document is this. */
final class Base64Text {
    private static final char[] DIGITS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".toCharArray();

    private final char[] piece = new char[512];

    void append(StringBuilder out, String text) {
        int whole = text.length() / 3 * 3;
        int filled = 0;
        for (int i = 0; i < whole; i += 3) {
            int a = text.charAt(i);
            int b = text.charAt(i + 1);
            int c = text.charAt(i + 2);
            if ((a | b | c) >= 0x80) {
                out.append(piece, 0, filled);
                appendBytes(out, text.substring(i).getBytes(UTF_8));
                return;
            }
            piece[filled] = DIGITS[a >> 2];
            piece[filled + 1] = DIGITS[(a & 3) << 4 | b >> 4];
            piece[filled + 2] = DIGITS[(b & 15) << 2 | c >> 6];
            piece[filled + 3] = DIGITS[c & 63];
            filled += 4;
            if (filled == piece.length) {
                out.append(piece);
                filled = 0;
            }
        }
        out.append(piece, 0, filled);
        appendBytes(out, text.substring(whole).getBytes(UTF_8));
    }

    private static void appendBytes(StringBuilder out, byte[] bytes) {
        out.append(Base64.getEncoder().encodeToString(bytes));
    }
}
