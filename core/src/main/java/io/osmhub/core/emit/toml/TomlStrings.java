package io.osmhub.core.emit.toml;

/** String literals as the Go library writes them: always double quotes, on one line. */
final class TomlStrings {
    private static final String HEX = "0123456789abcdef";

    private TomlStrings() {}

    static String quote(String bytes) {
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
}
