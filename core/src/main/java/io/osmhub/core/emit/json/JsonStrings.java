package io.osmhub.core.emit.json;

import io.osmhub.core.emit.Utf8;

/** JSON string literals as Go writes them. Text that is not UTF-8 becomes {@code \ufffd}. */
final class JsonStrings {
    private static final String HEX = "0123456789abcdef";

    private JsonStrings() {}

    /** Appends a literal for a string of bytes; the literal is bytes too. */
    static void appendBytes(StringBuilder out, String bytes, boolean htmlSafe) {
        out.append('"');
        int written = 0;
        int i = 0;
        while (i < bytes.length()) {
            char c = bytes.charAt(i);
            if (c < 0x80) {
                if (isPlain(c, htmlSafe)) {
                    i++;
                    continue;
                }
                out.append(bytes, written, i);
                appendEscape(out, c);
                written = ++i;
                continue;
            }
            int length = Utf8.length(bytes, i);
            if (length == 0) {
                out.append(bytes, written, i).append("\\ufffd");
                written = ++i;
            } else {
                int codePoint = Utf8.decode(bytes, i, length);
                if (codePoint == 0x2028 || codePoint == 0x2029) {
                    out.append(bytes, written, i);
                    appendEscape(out, (char) codePoint);
                    written = i + length;
                }
                i += length;
            }
        }
        out.append(bytes, written, bytes.length()).append('"');
    }

    /** Appends a literal for Java text; the literal is Java text too. */
    static void appendText(StringBuilder out, String text, boolean htmlSafe) {
        out.append('"');
        int written = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (Character.isSurrogate(c)) {
                if (Character.isHighSurrogate(c)
                        && i + 1 < text.length()
                        && Character.isLowSurrogate(text.charAt(i + 1))) {
                    i++;
                } else {
                    out.append(text, written, i).append("\\ufffd");
                    written = i + 1;
                }
            } else if (c < 0x80 ? !isPlain(c, htmlSafe) : c == 0x2028 || c == 0x2029) {
                out.append(text, written, i);
                appendEscape(out, c);
                written = i + 1;
            }
        }
        out.append(text, written, text.length()).append('"');
    }

    private static boolean isPlain(char c, boolean htmlSafe) {
        if (c < 0x20 || c == '"' || c == '\\') {
            return false;
        }
        return !htmlSafe || (c != '<' && c != '>' && c != '&');
    }

    private static void appendEscape(StringBuilder out, char c) {
        out.append('\\');
        switch (c) {
            case '"', '\\' -> out.append(c);
            case '\b' -> out.append('b');
            case '\f' -> out.append('f');
            case '\n' -> out.append('n');
            case '\r' -> out.append('r');
            case '\t' -> out.append('t');
            default ->
                out.append('u')
                        .append(HEX.charAt(c >> 12))
                        .append(HEX.charAt((c >> 8) & 0xf))
                        .append(HEX.charAt((c >> 4) & 0xf))
                        .append(HEX.charAt(c & 0xf));
        }
    }
}
