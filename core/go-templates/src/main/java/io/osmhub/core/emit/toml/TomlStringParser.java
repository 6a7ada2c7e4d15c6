package io.osmhub.core.emit.toml;

import static io.osmhub.core.emit.toml.TomlCharacterReader.END;
import static io.osmhub.core.emit.toml.TomlCharacterReader.isNewLine;

import io.osmhub.core.emit.Utf8Bytes;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.text.GoQuote;

/** Reads strings, from behind their opening quotes. */
final class TomlStringParser {
    private static final int MOST_QUOTES_AT_END = 5;

    private final TomlCharacterReader source;

    TomlStringParser(TomlCharacterReader source) {
        this.source = source;
    }

    String parseSingleLine(int quote) throws GoCallException {
        int start = source.position();
        while (true) {
            int c = source.next();
            if (c == quote) {
                String text = source.since(start);
                return unescape(text.substring(0, text.length() - 1), quote);
            }
            if (c == END) {
                throw source.errorAtEnd("unexpected EOF; expected " + (quote == '"' ? "'\"'" : "\"'\""));
            }
            if (isNewLine(c)) {
                throw source.error(source.line() - 1, "strings cannot contain newlines");
            }
            if (c == '\\' && quote == '"') {
                escape(start);
            }
        }
    }

    String parseMultiLine(int quote) throws GoCallException {
        int start = source.position();
        while (true) {
            int c = source.next();
            if (c == END) {
                throw source.errorAtEnd("unexpected EOF; expected " + (quote == '"' ? "'\"\"\"'" : "\"'''\""));
            }
            if (c == quote) {
                int quotes = 1;
                while (quotes <= MOST_QUOTES_AT_END && source.accept(quote)) {
                    quotes++;
                }
                if (quotes > MOST_QUOTES_AT_END) {
                    throw source.error(quote == '"' ? "unexpected '\"\"\"\"\"\"'" : "unexpected \"''''''\"");
                }
                if (quotes >= 3) {
                    String text = source.since(start);
                    text = withoutFirstLineBreak(text.substring(0, text.length() - 3));
                    return quote == '"' ? unescape(withoutEscapedLineBreaks(text), quote) : text;
                }
            }
            if (c == '\\' && quote == '"') {
                if (!isNewLine(source.peek())) {
                    escape(start);
                }
            }
        }
    }

    private static String withoutFirstLineBreak(String text) {
        if (text.startsWith("\n")) {
            return text.substring(1);
        }
        return text.startsWith("\r\n") ? text.substring(2) : text;
    }

    /** A backslash at the end of a line takes away the line break and all blanks after it. */
    private static String withoutEscapedLineBreaks(String text) {
        StringBuilder out = new StringBuilder(text.length());
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i);
            if (c != '\\' || i + 1 == text.length()) {
                out.append(c);
                i++;
                continue;
            }
            int end = i + 1;
            boolean broken = false;
            while (end < text.length() && " \t\r\n".indexOf(text.charAt(end)) >= 0) {
                broken |= text.charAt(end) == '\n';
                end++;
            }
            if (broken) {
                i = end;
            } else {
                out.append(text, i, i + 2);
                i += 2;
            }
        }
        return out.toString();
    }

    /** Checks what follows a backslash; {@code start} is where the string's content begins. */
    private void escape(int start) throws GoCallException {
        int c = source.next();
        switch (c) {
            case 'b', 't', 'n', 'f', 'r', 'e', '"', '\\', ' ', '\t' -> {}
            case 'x' -> hexadecimal(start, 2, "two", 'x');
            case 'u' -> hexadecimal(start, 4, "four", 'u');
            case 'U' -> hexadecimal(start, 8, "eight", 'U');
            default ->
                throw source.error(
                        c == END ? source.line() - 1 : source.line(),
                        "invalid escape in string '\\" + TomlCharacterReader.raw(c) + "'");
        }
    }

    private void hexadecimal(int start, int digits, String name, char kind) throws GoCallException {
        for (int i = 0; i < digits; i++) {
            int c = source.next();
            if (!TomlScalarParser.isHexDigit(c)) {
                String message = "expected " + name + " hexadecimal digits after '\\" + kind + "', but got "
                        + GoQuote.quote(source.since(start)) + " instead";
                throw c == END ? source.errorAtEnd(message) : source.error(message);
            }
        }
    }

    private String unescape(String text, int quote) throws GoCallException {
        if (quote != '"' || text.indexOf('\\') < 0) {
            return text;
        }
        StringBuilder out = new StringBuilder(text.length());
        int i = 0;
        while (i < text.length()) {
            char c = text.charAt(i++);
            if (c != '\\') {
                out.append(c);
                continue;
            }
            char kind = text.charAt(i++);
            switch (kind) {
                case 'b' -> out.append('\b');
                case 't' -> out.append('\t');
                case 'n' -> out.append('\n');
                case 'f' -> out.append('\f');
                case 'r' -> out.append('\r');
                case 'e' -> out.append('\u001B');
                case '"', '\\' -> out.append(kind);
                case 'x', 'u', 'U' -> {
                    int end = i + (kind == 'x' ? 2 : kind == 'u' ? 4 : 8);
                    appendCodePoint(out, text.substring(i, end));
                    i = end;
                }
                default -> throw source.error("invalid escape: '\\" + kind + "'");
            }
        }
        return out.toString();
    }

    private void appendCodePoint(StringBuilder out, String digits) throws GoCallException {
        long codePoint = Long.parseLong(digits, 16);
        if (codePoint > Character.MAX_CODE_POINT || (codePoint >= 0xD800 && codePoint <= 0xDFFF)) {
            throw source.error("Escaped character '\\u" + digits + "' is not valid UTF-8.");
        }
        Utf8Bytes.append(out, (int) codePoint);
    }
}
