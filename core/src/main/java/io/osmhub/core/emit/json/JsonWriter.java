package io.osmhub.core.emit.json;

import java.util.function.Consumer;

/**
 * Writes JSON piece by piece, without building values first: for documents whose fields have a fixed order. Compact, with Go's
 * strings, HTML-safe. The caller is trusted to open and close in order.
 */
public final class JsonWriter {
    /** What the strings given to the writer, and its result, are. */
    public enum StringForm {
        /** Ordinary Java text. */
        TEXT,
        /** Bytes as chars, as in Go strings. */
        BYTES
    }

    private final StringForm form;
    private final StringBuilder out;
    private boolean first = true;

    public JsonWriter(StringForm form) {
        this(form, new StringBuilder(256));
    }

    /** Appends to {@code out}. */
    public JsonWriter(StringForm form, StringBuilder out) {
        this.form = form;
        this.out = out;
    }

    /** A string literal for Java text, as Go writes it. */
    public static String quote(String text) {
        StringBuilder out = new StringBuilder(text.length() + 16);
        JsonStrings.appendText(out, text, true);
        return out.toString();
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
        switch (form) {
            case TEXT -> JsonStrings.appendText(out, text, true);
            case BYTES -> JsonStrings.appendBytes(out, text, true);
        }
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
}
