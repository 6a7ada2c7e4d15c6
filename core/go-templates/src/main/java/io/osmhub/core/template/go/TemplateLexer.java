package io.osmhub.core.template.go;

import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8Runes;
import io.osmhub.core.template.functions.FunctionRegistry;
import io.osmhub.core.template.go.TemplateLexer.TemplateToken.Kind;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Scans a template's source into tokens lazily, so that the first of two mistakes is reported. Outside of actions a token is all
 * the text up to the next action; comments and trimmed blanks produce no token.
 */
final class TemplateLexer {
    private static final String LEFT = "{{";
    private static final String RIGHT = "}}";
    private static final String LEFT_COMMENT = "/*";
    private static final String RIGHT_COMMENT = "*/";
    private static final int TRIM_MARKER_LENGTH = 2;
    private static final int EOF = -2;

    private final String source;
    private final boolean breakIsWord;
    private final boolean continueIsWord;

    /** Start of the current token; {@code line} is its line. */
    private int start;

    private int line = 1;
    private int position;
    private boolean insideAction;
    private int openParens;
    private boolean failed;

    /** A function named {@code break} or {@code continue} overrides the keyword. */
    TemplateLexer(String source, FunctionRegistry functions) {
        this.source = source;
        this.breakIsWord = functions.get("break") != null;
        this.continueIsWord = functions.get("continue") != null;
    }

    /** The next token; after an error or the end, repeats that kind. */
    TemplateToken next() {
        if (failed) {
            return new TemplateToken(Kind.ERROR, "unclosed action", start, line);
        }
        return insideAction ? action() : text();
    }

    private TemplateToken text() {
        while (true) {
            int delimiter = source.indexOf(LEFT, position);
            if (delimiter < 0) {
                position = source.length();
                return emit(position > start ? Kind.TEXT : Kind.EOF);
            }
            if (delimiter > position) {
                int end = delimiter;
                if (isTrimMarkerAfterLeft(delimiter + LEFT.length())) {
                    while (end > start && isBlank(source.charAt(end - 1))) {
                        end--;
                    }
                }
                position = end;
                if (end > start) {
                    TemplateToken text = emit(Kind.TEXT);
                    position = delimiter;
                    skipTo(position);
                    return text;
                }
            }
            skipTo(delimiter);
            position = delimiter + LEFT.length();
            int afterMarker = position + (isTrimMarkerAfterLeft(position) ? TRIM_MARKER_LENGTH : 0);
            if (!source.startsWith(LEFT_COMMENT, afterMarker)) {
                TemplateToken left = emit(Kind.LEFT_DELIMITER);
                skipTo(afterMarker);
                insideAction = true;
                openParens = 0;
                return left;
            }
            skipTo(afterMarker);
            int commentEnd = source.indexOf(RIGHT_COMMENT, afterMarker + LEFT_COMMENT.length());
            if (commentEnd < 0) {
                return error("unclosed comment");
            }
            position = commentEnd + RIGHT_COMMENT.length();
            boolean trimmed = isTrimmedRight(position);
            if (!trimmed && !source.startsWith(RIGHT, position)) {
                return error("comment ends before closing delimiter");
            }
            position += (trimmed ? TRIM_MARKER_LENGTH : 0) + RIGHT.length();
            if (trimmed) {
                skipBlanks();
            }
            skipTo(position);
        }
    }

    private TemplateToken action() {
        boolean trimmed = isTrimmedRight(position);
        if (trimmed || source.startsWith(RIGHT, position)) {
            return openParens == 0 ? rightDelimiter(trimmed) : error("unclosed left paren");
        }
        if (position >= source.length()) {
            return error("unclosed action");
        }
        char c = source.charAt(position);
        if (isBlank(c)) {
            return space();
        }
        if (isDigit(c) || c == '+' || c == '-') {
            return number();
        }
        if (isAlphaNumeric(peek())) {
            return identifier();
        }
        advance();
        return switch (c) {
            case '=' -> emit(Kind.ASSIGN);
            case ':' -> {
                if (peek() != '=') {
                    yield error("expected :=");
                }
                advance();
                yield emit(Kind.DECLARE);
            }
            case '|' -> emit(Kind.PIPE);
            case '"' -> quoted(Kind.STRING, '"', "unterminated quoted string");
            case '\'' -> quoted(Kind.CHARACTER_CONSTANT, '\'', "unterminated character constant");
            case '`' -> raw();
            case '$' -> name(Kind.VARIABLE, Kind.VARIABLE);
            case '.' -> {
                // A dot at the very end counts as a number, which then has no digits.
                if (position == source.length() || isDigit(source.charAt(position))) {
                    position--;
                    yield number();
                }
                yield name(Kind.FIELD, Kind.DOT);
            }
            case '(' -> {
                openParens++;
                yield emit(Kind.LEFT_PAREN);
            }
            case ')' -> {
                openParens--;
                yield openParens < 0 ? error("unexpected right paren") : emit(Kind.RIGHT_PAREN);
            }
            default -> {
                if (c >= ' ' && c < 0x7F) {
                    yield emit(Kind.CHARACTER);
                }
                position = start;
                yield error("unrecognized character in action: " + shown(peek()));
            }
        };
    }

    private TemplateToken rightDelimiter(boolean trimmed) {
        if (trimmed) {
            skipTo(position + TRIM_MARKER_LENGTH);
        }
        position += RIGHT.length();
        TemplateToken right = emit(Kind.RIGHT_DELIMITER);
        if (trimmed) {
            skipBlanks();
            skipTo(position);
        }
        insideAction = false;
        return right;
    }

    private TemplateToken space() {
        skipBlanks();
        // The last blank may be part of a trim marker.
        if (isTrimmedRight(position - 1)) {
            position--;
        }
        return emit(Kind.SPACE);
    }

    private TemplateToken identifier() {
        while (isAlphaNumeric(peek())) {
            advance();
        }
        if (!atTerminator()) {
            return error("bad character " + shown(peek()));
        }
        String word = source.substring(start, position);
        Kind keyword = TemplateToken.keyword(word);
        boolean isFunction = keyword == Kind.BREAK && breakIsWord || keyword == Kind.CONTINUE && continueIsWord;
        if (keyword != null && !isFunction) {
            return emit(keyword);
        }
        return emit(word.equals("true") || word.equals("false") ? Kind.BOOL : Kind.IDENTIFIER);
    }

    /** The name after a dot or a dollar sign, whose own kind is {@code alone}. */
    private TemplateToken name(Kind named, Kind alone) {
        if (atTerminator()) {
            return emit(alone);
        }
        while (isAlphaNumeric(peek())) {
            advance();
        }
        return atTerminator() ? emit(named) : error("bad character " + shown(peek()));
    }

    private TemplateToken quoted(Kind kind, char quote, String unterminated) {
        while (position < source.length()) {
            char c = source.charAt(position++);
            if (c == quote) {
                return emit(kind);
            }
            if (c == '\\' && position < source.length()) {
                c = source.charAt(position++);
            }
            if (c == '\n') {
                break;
            }
        }
        return error(unterminated);
    }

    private TemplateToken raw() {
        int end = source.indexOf('`', position);
        if (end < 0) {
            return error("unterminated raw quoted string");
        }
        position = end + 1;
        return emit(Kind.STRING);
    }

    /** All that could belong to a number, which is read later, so that a mistake in it is quoted in full. */
    private TemplateToken number() {
        while (isAlphaNumeric(peek()) || peek() == '.' || peek() == '+' || peek() == '-') {
            advance();
        }
        return emit(Kind.NUMBER);
    }

    private int peek() {
        return position < source.length() ? Utf8Runes.runeAt(source, position) : EOF;
    }

    private void advance() {
        position += position < source.length() ? Utf8Runes.size(Utf8Runes.runeAt(source, position)) : 0;
    }

    private void skipBlanks() {
        while (position < source.length() && isBlank(source.charAt(position))) {
            position++;
        }
    }

    private boolean atTerminator() {
        if (position >= source.length()) {
            return true;
        }
        char c = source.charAt(position);
        return isBlank(c) || ".,|:()".indexOf(c) >= 0 || source.startsWith(RIGHT, position);
    }

    private boolean isTrimMarkerAfterLeft(int at) {
        return at + 1 < source.length() && source.charAt(at) == '-' && isBlank(source.charAt(at + 1));
    }

    private boolean isTrimmedRight(int at) {
        return at + 1 < source.length()
                && isBlank(source.charAt(at))
                && source.charAt(at + 1) == '-'
                && source.startsWith(RIGHT, at + TRIM_MARKER_LENGTH);
    }

    private TemplateToken emit(Kind kind) {
        TemplateToken token = new TemplateToken(kind, source.substring(start, position), start, line);
        skipTo(position);
        return token;
    }

    /** Starts the next token at {@code to}. */
    private void skipTo(int to) {
        for (int i = start; i < to; i++) {
            if (source.charAt(i) == '\n') {
                line++;
            }
        }
        start = to;
        position = to;
    }

    private TemplateToken error(String problem) {
        failed = true;
        return new TemplateToken(Kind.ERROR, problem, start, line);
    }

    private static boolean isBlank(char c) {
        return c == ' ' || c == '\t' || c == '\r' || c == '\n';
    }

    private static boolean isDigit(char c) {
        return c >= '0' && c <= '9';
    }

    private static boolean isAlphaNumeric(int rune) {
        if (rune < 0x80) {
            return rune >= 'a' && rune <= 'z'
                    || rune >= 'A' && rune <= 'Z'
                    || rune >= '0' && rune <= '9'
                    || rune == '_';
        }
        return Character.isLetter(rune) || Character.isDigit(rune);
    }

    /** A character in an error message. */
    private static String shown(int rune) {
        return GoQuote.quoteRune(rune == Utf8Runes.BROKEN ? Utf8Runes.REPLACEMENT : rune);
    }

    /**
     * One lexical token.
     *
     * @param text as written; for {@link Kind#ERROR} the error message
     * @param position of its first byte in the source
     * @param line of its first byte, from 1
     */
    record TemplateToken(Kind kind, String text, int position, int line) {
        private static final int LONGEST_SHOWN = 10;

        /** In messages those after {@link #VARIABLE} are in angle brackets. */
        enum Kind {
            ERROR,
            EOF,
            TEXT,
            LEFT_DELIMITER,
            RIGHT_DELIMITER,
            LEFT_PAREN,
            RIGHT_PAREN,
            SPACE,
            PIPE,
            ASSIGN,
            DECLARE,
            CHARACTER,
            BOOL,
            CHARACTER_CONSTANT,
            NUMBER,
            STRING,
            FIELD,
            IDENTIFIER,
            VARIABLE,
            BLOCK,
            BREAK,
            CONTINUE,
            DOT,
            DEFINE,
            ELSE,
            END,
            IF,
            NIL,
            RANGE,
            TEMPLATE,
            WITH
        }

        private static final Map<String, Kind> KEYWORDS = Map.ofEntries(
                Map.entry("block", Kind.BLOCK),
                Map.entry("break", Kind.BREAK),
                Map.entry("continue", Kind.CONTINUE),
                Map.entry("define", Kind.DEFINE),
                Map.entry("else", Kind.ELSE),
                Map.entry("end", Kind.END),
                Map.entry("if", Kind.IF),
                Map.entry("nil", Kind.NIL),
                Map.entry("range", Kind.RANGE),
                Map.entry("template", Kind.TEMPLATE),
                Map.entry("with", Kind.WITH));

        static @Nullable Kind keyword(String word) {
            return KEYWORDS.get(word);
        }

        boolean hasKind(Kind other) {
            return kind == other;
        }

        /** Its form in messages: quoted, and cut if long. */
        String describe() {
            if (kind == Kind.EOF) {
                return "EOF";
            }
            if (kind == Kind.ERROR) {
                return text;
            }
            if (kind.compareTo(Kind.VARIABLE) > 0) {
                return "<" + text + ">";
            }
            return text.length() <= LONGEST_SHOWN
                    ? GoQuote.quote(text)
                    : GoQuote.quote(text.substring(0, LONGEST_SHOWN)) + "...";
        }
    }
}
