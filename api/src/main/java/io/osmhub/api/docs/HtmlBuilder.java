package io.osmhub.api.docs;

/** Builds HTML; the only place that escapes text. */
public final class HtmlBuilder {
    private final StringBuilder out = new StringBuilder();

    /** Opens an element; {@code attributes} are names and values in turn. */
    public HtmlBuilder open(String element, String... attributes) {
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

    public HtmlBuilder close(String element) {
        out.append("</").append(element).append('>');
        return this;
    }

    public HtmlBuilder text(String text) {
        out.append(escaped(text));
        return this;
    }

    /** An element that contains only text. */
    public HtmlBuilder element(String element, String text, String... attributes) {
        return open(element, attributes).text(text).close(element);
    }

    public HtmlBuilder link(String href, String text) {
        return element("a", text, "href", href);
    }

    /** Output of a renderer that escapes its text. */
    public HtmlBuilder raw(String html) {
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
