package io.osmhub.api.console;

import com.github.jknack.handlebars.EscapingStrategy;
import com.github.jknack.handlebars.Handlebars;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The only maker of markup outside the templates. Tags, classes and names of attributes are constants of this package; what is
 * printed between them or as a value is escaped here.
 */
final class Markup {
    /** What templates do with every value that no helper has dressed: text, also inside quotes of an attribute. */
    static final EscapingStrategy EVERYTHING = new EscapingStrategy() {
        @Override
        public CharSequence escape(CharSequence value) {
            // The library hands over what it has made itself as well; that is told by its type.
            return value instanceof Handlebars.SafeString
                    ? value
                    : escaped(HostileText.flat(value.toString(), HostileText.MESSAGE));
        }
    };

    private final StringBuilder html = new StringBuilder();

    /** Opens an element. Attributes are names and values by turns; one whose value is null is left out. */
    Markup open(String element, @Nullable String... attributes) {
        html.append('<').append(element);
        attributes(attributes);
        html.append('>');
        return this;
    }

    /** Attributes alone, each after a space, for an element that a template opens. */
    Markup attributes(@Nullable String... attributes) {
        for (int at = 0; at < attributes.length; at += 2) {
            String value = attributes[at + 1];
            if (value != null) {
                html.append(' ')
                        .append(attributes[at])
                        .append("=\"")
                        .append(escaped(HostileText.flat(value, HostileText.LINE)))
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

    /** An element that holds nothing. */
    Markup empty(String element, @Nullable String... attributes) {
        return open(element, attributes).close(element);
    }

    /** An element that holds one text. */
    Markup element(String element, String text, @Nullable String... attributes) {
        return open(element, attributes).text(text, HostileText.MESSAGE).close(element);
    }

    /** A text of which at most so many characters are shown; those that would act are shown by their number. */
    Markup text(String text, int most) {
        List<HostileText.Piece> pieces = new ArrayList<>();
        HostileText.pieces(text, most, pieces);
        for (HostileText.Piece piece : pieces) {
            if (piece.marked()) {
                html.append("<span class=\"ctl\">")
                        .append(escaped(piece.text()))
                        .append("</span>");
            } else {
                html.append(escaped(piece.text()));
            }
        }
        return this;
    }

    /** A name: in full, and without effect on the order of its neighbours. */
    Markup name(String name) {
        return open("bdi").text(name, HostileText.NAME).close("bdi");
    }

    /** A text in a field, for whoever has given it to edit it on: every character as it is, none of them markup. */
    Markup editable(String text) {
        html.append(escaped(text));
        return this;
    }

    /** A picture of the sprite, for the eye alone. */
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

    /** What templates print as it is. */
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
