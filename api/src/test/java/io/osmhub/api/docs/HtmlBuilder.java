package io.osmhub.api.docs;

/** Builds HTML; the only place that escapes text. */
final class HtmlBuilder {
    private final StringBuilder out = new StringBuilder();

    /** Opens an element; {@code attributes} are names and values in turn. */
    HtmlBuilder open(String element, String... attributes) {
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

    HtmlBuilder close(String element) {
        out.append("</").append(element).append('>');
        return this;
    }

    HtmlBuilder text(String text) {
        out.append(escaped(text));
        return this;
    }

    /** An element that contains only text. */
    HtmlBuilder element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close(element);
    }

    HtmlBuilder link(String href, String text) {
        return element("a", text, "href", href);
    }

    /** Output of a renderer that escapes its text. */
    HtmlBuilder raw(String html) {
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
