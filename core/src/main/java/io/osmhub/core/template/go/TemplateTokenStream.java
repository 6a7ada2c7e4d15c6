package io.osmhub.core.template.go;

import io.osmhub.core.template.go.TemplateToken.Kind;
import java.util.ArrayList;
import java.util.List;

/** Tokens with lookahead. Reads each token from the lexer only when needed, so that the first mistake is reported. */
final class TemplateTokenStream {
    private final TemplateLexer lexer;
    private final List<TemplateToken> read = new ArrayList<>();
    private int cursor;

    TemplateTokenStream(TemplateLexer lexer) {
        this.lexer = lexer;
    }

    TemplateToken next() {
        TemplateToken token = peek();
        cursor++;
        return token;
    }

    TemplateToken peek() {
        if (cursor == read.size()) {
            read.add(lexer.next());
        }
        return read.get(cursor);
    }

    TemplateToken nextNonSpace() {
        TemplateToken token = next();
        while (token.hasKind(Kind.SPACE)) {
            token = next();
        }
        return token;
    }

    TemplateToken peekNonSpace() {
        nextNonSpace();
        cursor--;
        return peek();
    }

    /** Returns to before the last token. */
    void backup() {
        cursor--;
    }

    /** A position for {@link #reset}. */
    int mark() {
        return cursor;
    }

    void reset(int mark) {
        cursor = mark;
    }

    /** The last token read from the lexer, possibly by lookahead: errors name its line. */
    TemplateToken lastRead() {
        return read.isEmpty() ? new TemplateToken(Kind.EOF, "", 0, 0) : read.getLast();
    }

    TemplateLexer lexer() {
        return lexer;
    }
}
