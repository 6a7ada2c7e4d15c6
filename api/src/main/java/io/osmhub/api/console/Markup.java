package io.osmhub.api.console;

import com.github.jknack.handlebars.EscapingStrategy;
import com.github.jknack.handlebars.Handlebars;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The only source of markup outside the templates. Tags, classes and attribute names are constants of this package; printed text
 * and attribute values are escaped here.
 */
final class Markup {
    /** Escapes every template value that no helper formatted: text, also inside quoted attributes. */
    static final EscapingStrategy EVERYTHING = new EscapingStrategy() {
        @Override
        public CharSequence escape(CharSequence value) {
            // The library passes its own markup here, too; its type identifies it.
            return value instanceof Handlebars.SafeString
                    ? value
                    : escaped(TextSanitizer.flat(value.toString(), TextSanitizer.MESSAGE));
        }
    };

    private final StringBuilder html = new StringBuilder();

    /** Opens an element. Attributes alternate names and values; one with a null value is omitted. */
    Markup open(String element, @Nullable String... attributes) {
        html.append('<').append(element);
        attributes(attributes);
        html.append('>');
        return this;
    }

    /** Attributes only, each after a space, for an element that a template opens. */
    Markup attributes(@Nullable String... attributes) {
        for (int at = 0; at < attributes.length; at += 2) {
            String value = attributes[at + 1];
            if (value != null) {
                html.append(' ')
                        .append(attributes[at])
                        .append("=\"")
                        .append(escaped(TextSanitizer.flat(value, TextSanitizer.LINE)))
                        .append('"');
            }
        }
        return this;
    }

    /** Closes an element. */
    Markup close(String element) {
        html.append("</").append(element).append('>');
        return this;
    }

    /** An element without content. */
    Markup empty(String element, @Nullable String... attributes) {
        return open(element, attributes).close(element);
    }

    /** An element with one text. */
    Markup element(String element, String text, @Nullable String... attributes) {
        return open(element, attributes).text(text, TextSanitizer.MESSAGE).close(element);
    }

    /** A text cut to a maximum length; control characters are shown as code points. */
    Markup text(String text, int most) {
        List<TextSanitizer.Piece> pieces = new ArrayList<>();
        TextSanitizer.pieces(text, most, pieces);
        for (TextSanitizer.Piece piece : pieces) {
            if (piece.marked()) {
                html.append("<span class=\"ctl\">")
                        .append(escaped(piece.text()))
                        .append("</span>");
            } else {
                html.append(piece == TextSanitizer.Piece.LINE_BREAK ? "<br>" : escaped(piece.text()));
            }
        }
        return this;
    }

    /** A name in full, isolated from the text direction of its neighbours. */
    Markup name(String name) {
        return open("bdi").text(name, TextSanitizer.NAME).close("bdi");
    }

    /** A text for an editable field: all characters unchanged, none of them markup. */
    Markup editable(String text) {
        html.append(escaped(text));
        return this;
    }

    /** A decorative picture of the sprite. */
    Markup mark(String symbol) {
        return open("svg", "class", "mark", "aria-hidden", "true")
                .empty("use", "href", "#" + symbol)
                .close("svg");
    }

    /** An attribute without a value. */
    CharSequence flag(String attribute) {
        html.append(' ').append(attribute);
        return finished();
    }

    /** The result, which templates print unescaped. */
    CharSequence finished() {
        return new Handlebars.SafeString(html);
    }

    private static String escaped(String text) {
        StringBuilder escaped = new StringBuilder(text.length() + 16);
        for (int at = 0; at < text.length(); at++) {
            char c = text.charAt(at);
            switch (c) {
                case '<' -> escaped.append("&lt;");
                case '>' -> escaped.append("&gt;");
                case '&' -> escaped.append("&amp;");
                case '"' -> escaped.append("&quot;");
                case '\'' -> escaped.append("&#39;");
                case '`' -> escaped.append("&#96;");
                default -> escaped.append(c);
            }
        }
        return escaped.toString();
    }
}
