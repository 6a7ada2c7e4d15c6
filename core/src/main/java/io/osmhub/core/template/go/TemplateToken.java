package io.osmhub.core.template.go;

import io.osmhub.core.golang.text.GoQuote;
import io.osmhub.core.golang.text.Utf8Runes;
import java.util.Map;
import org.jspecify.annotations.Nullable;

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
        COMPLEX,
        STRING,
        RAW_STRING,
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
        if (text.length() <= LONGEST_SHOWN) {
            return GoQuote.quote(text);
        }
        int end = 0;
        for (int runes = 0; runes < LONGEST_SHOWN && end < text.length(); runes++) {
            end += Utf8Runes.size(Utf8Runes.runeAt(text, end));
        }
        return GoQuote.quote(text.substring(0, end)) + "...";
    }
}
