package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;

/** Appends a text's UTF-8 bytes in standard base64 on one line without copying them: most of a document is base64. */
final class Base64Text {
    private static final char[] DIGITS =
            "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".toCharArray();

    private final char[] piece = new char[512];

    void append(StringBuilder out, String text) {
        int end = text.length();
        int filled = 0;
        int i = 0;
        for (; i + 3 <= end; i += 3) {
            int a = text.charAt(i);
            int b = text.charAt(i + 1);
            int c = text.charAt(i + 2);
            if ((a | b | c) >= 0x80) {
                break;
            }
            group(filled, a, b, c);
            filled += 4;
            if (filled == piece.length) {
                out.append(piece);
                filled = 0;
            }
        }
        if (end - i == 1 && text.charAt(i) < 0x80) {
            group(filled, text.charAt(i), 0, 0);
            piece[filled + 2] = '=';
            piece[filled + 3] = '=';
            filled += 4;
            i = end;
        } else if (end - i == 2 && (text.charAt(i) | text.charAt(i + 1)) < 0x80) {
            group(filled, text.charAt(i), text.charAt(i + 1), 0);
            piece[filled + 3] = '=';
            filled += 4;
            i = end;
        }
        out.append(piece, 0, filled);
        if (i < end) {
            // From the first group that is not all ASCII.
            out.append(Base64.getEncoder().encodeToString(text.substring(i).getBytes(UTF_8)));
        }
    }

    /** Writes three bytes as four digits. */
    private void group(int at, int a, int b, int c) {
        piece[at] = DIGITS[a >> 2];
        piece[at + 1] = DIGITS[(a & 3) << 4 | b >> 4];
        piece[at + 2] = DIGITS[(b & 15) << 2 | c >> 6];
        piece[at + 3] = DIGITS[c & 63];
    }
}
