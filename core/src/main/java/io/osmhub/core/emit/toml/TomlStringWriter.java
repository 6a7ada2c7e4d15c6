package io.osmhub.core.emit.toml;

import java.util.List;

/** String literals and keys as the Go library writes them: in double quotes, on one line. */
public final class TomlStringWriter {
    private static final String HEX = "0123456789abcdef";

    private TomlStringWriter() {}

    /** A string literal. */
    public static String quote(String bytes) {
        StringBuilder out = new StringBuilder(bytes.length() + 2).append('"');
        for (int i = 0; i < bytes.length(); i++) {
            char c = bytes.charAt(i);
            switch (c) {
                case '"' -> out.append("\\\"");
                case '\\' -> out.append("\\\\");
                case '\b' -> out.append("\\b");
                case '\t' -> out.append("\\t");
                case '\n' -> out.append("\\n");
                case '\f' -> out.append("\\f");
                case '\r' -> out.append("\\r");
                default -> {
                    if (c < 0x20 || c == 0x7F) {
                        out.append("\\u00").append(HEX.charAt(c >> 4)).append(HEX.charAt(c & 0xF));
                    } else {
                        out.append(c);
                    }
                }
            }
        }
        return out.append('"').toString();
    }

    /** A path of keys. */
    static String joinKey(List<String> key) {
        StringBuilder text = new StringBuilder();
        for (String part : key) {
            text.append(text.isEmpty() ? "" : ".").append(key(part));
        }
        return text.toString();
    }

    /** A key: bare where the format allows it, else a string. */
    public static String key(String bytes) {
        for (int i = 0; i < bytes.length(); i++) {
            char c = bytes.charAt(i);
            boolean bare =
                    (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
            if (!bare) {
                return quote(bytes);
            }
        }
        return bytes.isEmpty() ? "\"\"" : bytes;
    }
}
