package io.osmhub.api.docs;

/** HTML under construction: every text is escaped here and nowhere else. */
final class Html {
    private final StringBuilder out = new StringBuilder();

    /** Opens an element; {@code attributes} are names and values in turn. */
    Html open(String element, String... attributes) {
        out.append('<').append(element);
        for (int i = 0; i < attributes.length; i += 2) {
            out.append(' ')
                    .append(attributes[i])
                    .append("=\"")
                    .append(escaped(attributes[i + 1]))
                    .append('"');
        }
        out.append('>');
        return this;
    }

    Html close(String element) {
        out.append("</").append(element).append('>');
        return this;
    }

    Html text(String text) {
        out.append(escaped(text));
        return this;
    }

    /** An element with nothing but text in it. */
    Html element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close(element);
    }

    Html link(String href, String text) {
        return element("a", text, "href", href);
    }

    /** What a renderer wrote that escapes by itself. */
    Html rendered(String html) {
        out.append(html);
        return this;
    }

    private static String escaped(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;")
                .replace("'", "&#39;");
    }

    @Override
    public String toString() {
        return out.toString();
    }
}
