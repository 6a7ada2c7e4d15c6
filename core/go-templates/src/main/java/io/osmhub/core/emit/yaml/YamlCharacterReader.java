package io.osmhub.core.emit.yaml;

import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.emit.yaml.YamlNode.YamlMark;
import io.osmhub.core.golang.GoCallException;

/** The text being read, the position in it, and the checks of its characters. */
final class YamlCharacterReader {
    /** So much is checked at once. What is wrong far ahead is reported only when reading comes near it, as in Go. */
    private static final int CHUNK = 512;

    private final String text;
    private int checkedTo;
    private int position;
    private int index;
    private int line;
    private int column;

    YamlCharacterReader(String text) throws GoCallException {
        this.text = text;
        if (YamlCharacters.isByteOrderMark(text, 0)) {
            position = 3;
            checkedTo = 3;
        }
        check(0);
    }

    /** Makes sure that the text from here on is fit to be read; to be called before each token and line. */
    void check(int ahead) throws GoCallException {
        while (checkedTo < text.length() && checkedTo < position + ahead + 4) {
            int end = Math.min(text.length(), checkedTo + CHUNK);
            while (checkedTo < end) {
                checkedTo += checkedWidth(checkedTo);
            }
        }
    }

    private int checkedWidth(int i) throws GoCallException {
        char c = text.charAt(i);
        if (c < 0x80) {
            if (c == '\t' || c == '\n' || c == '\r' || (c >= 0x20 && c < 0x7F)) {
                return 1;
            }
            throw new GoCallException("yaml: control characters are not allowed");
        }
        int length = Utf8Bytes.length(text, i);
        if (length == 0) {
            throw new GoCallException("yaml: " + malformed(i));
        }
        int codePoint = Utf8Bytes.decode(text, i, length);
        if ((codePoint < 0xA0 && codePoint != 0x85) || codePoint == 0xFFFE || codePoint == 0xFFFF) {
            throw new GoCallException("yaml: control characters are not allowed");
        }
        return length;
    }

    private String malformed(int i) {
        char c = text.charAt(i);
        if (c < 0xC0 || c >= 0xF8) {
            return "invalid leading UTF-8 octet";
        }
        int width = YamlCharacters.width(c);
        if (i + width > text.length()) {
            return "incomplete UTF-8 octet sequence";
        }
        for (int k = 1; k < width; k++) {
            if ((text.charAt(i + k) & 0xC0) != 0x80) {
                return "invalid trailing UTF-8 octet";
            }
        }
        int codePoint = Utf8Bytes.decode(text, i, width);
        boolean overlong = codePoint < (width == 2 ? 0x80 : width == 3 ? 0x800 : 0x10000);
        return overlong ? "invalid length of a UTF-8 sequence" : "invalid Unicode character";
    }

    YamlMark mark() {
        return new YamlMark(index, line, column);
    }

    int line() {
        return line;
    }

    int column() {
        return column;
    }

    int index() {
        return index;
    }

    boolean atEnd() {
        return position >= text.length();
    }

    /** The byte here; 0 at the end. */
    char peek() {
        return peek(0);
    }

    char peek(int ahead) {
        int i = position + ahead;
        return i < text.length() ? text.charAt(i) : 0;
    }

    boolean atBlank() {
        char c = peek();
        return c == ' ' || c == '\t';
    }

    boolean atBreak() {
        return YamlCharacters.lineBreak(text, position) > 0;
    }

    boolean atBreakOrEnd() {
        return atEnd() || atBreak();
    }

    boolean atBlankOrEnd(int ahead) {
        return YamlCharacters.isBlankOrEnd(text, position + ahead);
    }

    boolean isBreakAt(int ahead) {
        return YamlCharacters.lineBreak(text, position + ahead) > 0;
    }

    /** {@code ---} or {@code ...} at the beginning of a line. */
    boolean atDocumentIndicator() {
        return column == 0 && (atDocumentStart() || text.startsWith("...", position)) && atBlankOrEnd(3);
    }

    boolean atDocumentStart() {
        return text.startsWith("---", position);
    }

    /** Goes over one character. */
    void skip() {
        position += YamlCharacters.width(peek());
        index++;
        column++;
    }

    void skip(int characters) {
        for (int i = 0; i < characters; i++) {
            skip();
        }
    }

    /** Goes over a line break. */
    void skipLine() {
        boolean pair = peek() == '\r' && peek(1) == '\n';
        position += pair ? 2 : YamlCharacters.lineBreak(text, position);
        index += pair ? 2 : 1;
        column = 0;
        line++;
    }

    /** Reads one character. */
    void read(StringBuilder out) {
        int width = YamlCharacters.width(peek());
        out.append(text, position, Math.min(position + width, text.length()));
        skip();
    }

    /** Reads a line break; all but the two Unicode separators become LF. */
    void readLine(StringBuilder out) {
        if (peek() == 0xE2) {
            out.append(text, position, position + 3);
        } else {
            out.append('\n');
        }
        skipLine();
    }

    /** At the end of the text: the end lies at the beginning of a line. */
    void endLine() {
        if (column != 0) {
            column = 0;
            line++;
        }
    }
}
