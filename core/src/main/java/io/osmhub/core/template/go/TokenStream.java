package io.osmhub.core.template.go;

import io.osmhub.core.template.go.Token.Kind;
import java.util.ArrayList;
import java.util.List;

/** Tokens with a way back. Reads no token from the lexer before it is asked for, so that the first mistake is the one reported. */
final class TokenStream {
    private final Lexer lexer;
    private final List<Token> read = new ArrayList<>();
    private int cursor;

    TokenStream(Lexer lexer) {
        this.lexer = lexer;
    }

    Token next() {
        Token token = peek();
        cursor++;
        return token;
    }

    Token peek() {
        if (cursor == read.size()) {
            read.add(lexer.next());
        }
        return read.get(cursor);
    }

    Token nextNonSpace() {
        Token token = next();
        while (token.is(Kind.SPACE)) {
            token = next();
        }
        return token;
    }

    Token peekNonSpace() {
        nextNonSpace();
        cursor--;
        return peek();
    }

    /** Takes back the last token. */
    void back() {
        cursor--;
    }

    /** A place to return to with {@link #reset}. */
    int mark() {
        return cursor;
    }

    void reset(int mark) {
        cursor = mark;
    }

    /** The token that was read last, and maybe not yet taken: errors name its line. */
    Token lastRead() {
        return read.isEmpty() ? new Token(Kind.EOF, "", 0, 0) : read.getLast();
    }

    Lexer lexer() {
        return lexer;
    }
}
