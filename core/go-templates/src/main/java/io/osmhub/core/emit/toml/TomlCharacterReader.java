package io.osmhub.core.emit.toml;

import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.text.GoQuote;
import java.util.function.Supplier;

/** A document read character by character, and errors with the line and the key that was read last. */
final class TomlCharacterReader {
    static final int END = -1;

    private final String text;
    private final Supplier<String> lastKey;
    private int position;
    private int width;
    private int line = 1;

    /** {@code lastKey} gives the key for errors, empty for none. */
    TomlCharacterReader(String text, Supplier<String> lastKey) throws GoCallException {
        this.lastKey = lastKey;
        this.text = withoutByteOrderMark(text);
        if (this.text.substring(0, Math.min(6, this.text.length())).indexOf(0) >= 0) {
            throw new GoCallException(
                    "toml: line 1: files cannot contain NULL bytes; probably using UTF-16; TOML files must be UTF-8");
        }
    }

    private static String withoutByteOrderMark(String text) {
        if (text.startsWith("\u00FF\u00FE") || text.startsWith("\u00FE\u00FF")) {
            return text.substring(2);
        }
        return text.startsWith("\u00EF\u00BB\u00BF") ? text.substring(3) : text;
    }

    int line() {
        return line;
    }

    int position() {
        return position;
    }

    /** The text since that position. */
    String since(int start) {
        return text.substring(start, position);
    }

    /** Reads a character; {@link #END} at the end. */
    int next() throws GoCallException {
        if (position >= text.length()) {
            width = 0;
            return END;
        }
        char c = text.charAt(position);
        width = Utf8Bytes.length(text, position);
        if (width == 0) {
            throw error("invalid UTF-8 byte: 0x%02x".formatted((int) c));
        }
        boolean control = (c < 0x20 && c != '\t' && c != '\n' && c != '\r') || c == 0x7F;
        boolean loneReturn = c == '\r' && !text.startsWith("\n", position + 1);
        if (control || loneReturn) {
            throw error("TOML files cannot contain control characters: '0x%02x'".formatted((int) c));
        }
        if (c == '\n') {
            line++;
        }
        int codePoint = Utf8Bytes.decode(text, position, width);
        position += width;
        return codePoint;
    }

    /** Goes back over the character read last. Not twice in a row over one that is not ASCII. */
    void back() {
        position -= width;
        if (width == 1 && text.charAt(position) == '\n') {
            line--;
        }
    }

    int peek() throws GoCallException {
        int c = next();
        back();
        return c;
    }

    boolean accept(int wanted) throws GoCallException {
        if (next() == wanted) {
            return true;
        }
        back();
        return false;
    }

    static boolean isBlank(int c) {
        return c == ' ' || c == '\t';
    }

    static boolean isNewLine(int c) {
        return c == '\n' || c == '\r';
    }

    void skipBlanks() throws GoCallException {
        while (isBlank(next())) {}
        back();
    }

    /** Goes over the rest of a comment; the line break stays. */
    void skipComment() throws GoCallException {
        int c = next();
        while (c != END && !isNewLine(c)) {
            c = next();
        }
        back();
    }

    GoCallException error(String message) {
        return error(line, message);
    }

    GoCallException error(int atLine, String message) {
        String key = lastKey.get();
        String place = key.isEmpty() ? "" : " (last key " + GoQuote.quote(key) + ")";
        return new GoCallException("toml: line " + atLine + place + ": " + message);
    }

    /** An error at the end of the text, which is shown on the line that ends there. */
    GoCallException errorAtEnd(String message) {
        return error(text.endsWith("\n") ? line - 1 : line, message);
    }

    /** A character in quotes as Go shows it; the end is shown as NUL. */
    static String quoted(int c) {
        return GoQuote.quoteRune(Math.max(c, 0));
    }

    /** Between quotes, without escapes. */
    static String inQuotes(int c) {
        return "'" + raw(c) + "'";
    }

    static String raw(int c) {
        StringBuilder text = new StringBuilder();
        Utf8Bytes.append(text, Math.max(c, 0));
        return text.toString();
    }
}
