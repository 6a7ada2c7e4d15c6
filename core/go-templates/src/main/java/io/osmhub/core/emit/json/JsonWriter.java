package io.osmhub.core.emit.json;

import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Writes JSON piece by piece, without building values first: for documents whose fields have a fixed order. Java text, compact,
 * with Go's strings, HTML-safe. The caller is trusted to open and close in order.
 */
public final class JsonWriter {
    private static final String HEX = "0123456789abcdef";
    private static final String NO_CHARACTER = "\\ufffd";
    private static final char LINE_SEPARATOR = 0x2028;
    private static final char PARAGRAPH_SEPARATOR = 0x2029;

    // The escapes of ASCII characters, null for those that stand for themselves: most of what is written passes
    // here.
    private static final @Nullable String[] HTML_SAFE = escapes("\"\\<>&");
    private static final @Nullable String[] AS_IT_IS = escapes("\"\\");

    private final StringBuilder out;
    private boolean first = true;

    public JsonWriter() {
        this(new StringBuilder(256));
    }

    /** Appends to {@code out}. */
    public JsonWriter(StringBuilder out) {
        this.out = out;
    }

    /** A string literal for Java text, as Go writes it. */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        appendQuoted(out, text, true);
        return out.toString();
    }

    /** Appends a string literal for Java text, as Go writes it. */
    public static void appendQuoted(StringBuilder out, String text) {
        appendQuoted(out, text, true);
    }

    public JsonWriter beginObject() {
        return open('{');
    }

    public JsonWriter endObject() {
        return close('}');
    }

    public JsonWriter beginArray() {
        return open('[');
    }

    public JsonWriter endArray() {
        return close(']');
    }

    /** The key of the value that follows. */
    public JsonWriter key(String key) {
        separate();
        string(key);
        out.append(':');
        first = true;
        return this;
    }

    public JsonWriter value(String value) {
        separate();
        string(value);
        return this;
    }

    /** A string that the caller appends itself and that needs no escapes, as long base64 or URLs. */
    public JsonWriter plainValue(Consumer<StringBuilder> value) {
        separate();
        out.append('"');
        value.accept(out);
        out.append('"');
        return this;
    }

    public JsonWriter value(long value) {
        separate();
        out.append(value);
        return this;
    }

    public JsonWriter value(boolean value) {
        separate();
        out.append(value);
        return this;
    }

    public JsonWriter nullValue() {
        separate();
        out.append("null");
        return this;
    }

    /** A value that is JSON already. */
    public JsonWriter raw(String value) {
        separate();
        out.append(value);
        return this;
    }

    /** A field with a string. */
    public JsonWriter field(String key, String value) {
        return key(key).value(value);
    }

    /** What has been written. */
    @Override
    public String toString() {
        return out.toString();
    }

    private void string(String text) {
        appendQuoted(out, text);
    }

    private JsonWriter open(char bracket) {
        separate();
        out.append(bracket);
        first = true;
        return this;
    }

    private JsonWriter close(char bracket) {
        out.append(bracket);
        first = false;
        return this;
    }

    private void separate() {
        if (!first) {
            out.append(',');
        }
        first = false;
    }

    /** Appends a string literal; half a surrogate pair becomes {@code \ufffd}. */
    static void appendQuoted(StringBuilder out, String text, boolean htmlSafe) {
        @Nullable String[] escapes = htmlSafe ? HTML_SAFE : AS_IT_IS;
        out.append('"');
        int written = 0;
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c >= 0x80 && isPair(text, i)) {
                i++;
                continue;
            }
            String escape = c < 0x80 ? escapes[c] : escape(c);
            if (escape != null) {
                out.append(text, written, i).append(escape);
                written = i + 1;
            }
        }
        out.append(text, written, text.length()).append('"');
    }

    private static boolean isPair(String text, int at) {
        return Character.isHighSurrogate(text.charAt(at))
                && at + 1 < text.length()
                && Character.isLowSurrogate(text.charAt(at + 1));
    }

    /** The escape of a non-ASCII character that is not in a surrogate pair. */
    private static @Nullable String escape(char c) {
        if (Character.isSurrogate(c)) {
            return NO_CHARACTER;
        }
        return c == LINE_SEPARATOR || c == PARAGRAPH_SEPARATOR ? hexadecimal(c) : null;
    }

    private static @Nullable String[] escapes(String special) {
        @Nullable String[] escapes = new String[0x80];
        for (char c = 0; c < escapes.length; c++) {
            if (c < ' ' || special.indexOf(c) >= 0) {
                escapes[c] = escapeOfAscii(c);
            }
        }
        return escapes;
    }

    private static String escapeOfAscii(char c) {
        return switch (c) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\b' -> "\\b";
            case '\f' -> "\\f";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            default -> hexadecimal(c);
        };
    }

    private static String hexadecimal(char c) {
        StringBuilder text = new StringBuilder("\\u");
        for (int shift = 12; shift >= 0; shift -= 4) {
            text.append(HEX.charAt(c >> shift & 0xF));
        }
        return text.toString();
    }
}
