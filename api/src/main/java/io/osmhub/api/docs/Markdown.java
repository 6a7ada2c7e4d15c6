package io.osmhub.api.docs;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.commonmark.Extension;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.Heading;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;
import org.commonmark.renderer.html.HtmlRenderer;

/** Markdown of the project as HTML. HTML in it is shown as text; headings can be linked to; links to other documents lead to pages. */
final class Markdown {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    private Markdown() {}

    static String html(String markdown) {
        Node document = PARSER.parse(markdown);
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                link.setDestination(destination(link.getDestination()));
                visitChildren(link);
            }
        });
        Map<String, Integer> used = new HashMap<>();
        return HtmlRenderer.builder()
                .extensions(EXTENSIONS)
                .escapeHtml(true)
                .sanitizeUrls(true)
                .attributeProviderFactory(context -> (node, tag, attributes) -> {
                    if (node instanceof Heading heading) {
                        String anchor = anchor(words(heading));
                        int before = used.merge(anchor, 1, Integer::sum) - 1;
                        attributes.put("id", before == 0 ? anchor : anchor + "-" + before);
                    }
                    // What scrolls inside itself is reached by keys.
                    if (tag.equals("table") || tag.equals("pre")) {
                        attributes.put("tabindex", "0");
                    }
                })
                .build()
                .render(document);
    }

    /** {@code settings.md#proxy} is {@code /docs/settings#proxy}; what is no document stays as it is. */
    private static String destination(String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        if (!path.endsWith(".md") || path.contains(":")) {
            return link;
        }
        String name = path.substring(0, path.length() - ".md".length());
        return "/docs/" + (name.startsWith("../") ? name.substring("../".length()) : name)
                + (hash < 0 ? "" : link.substring(hash));
    }

    /** As the usual viewers of Markdown name a heading. */
    static String anchor(String heading) {
        return heading.toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    private static String words(Node heading) {
        StringBuilder words = new StringBuilder();
        heading.accept(new AbstractVisitor() {
            @Override
            public void visit(Text text) {
                words.append(text.getLiteral());
            }

            @Override
            public void visit(Code code) {
                words.append(code.getLiteral());
            }
        });
        return words.toString();
    }
}
