package io.osmhub.api.docs;

import java.net.URI;
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

/**
 * Renders the project's Markdown as HTML. Embedded HTML is shown as text; headings are link targets; links to other documents lead to
 * pages.
 */
final class Markdown {
    private static final List<Extension> EXTENSIONS = List.of(TablesExtension.create());
    private static final Parser PARSER = Parser.builder().extensions(EXTENSIONS).build();

    private Markdown() {}

    /** Scrollable blocks are focusable, for keyboard users. */
    static String html(String page, String markdown) {
        Node document = PARSER.parse(markdown);
        document.accept(new AbstractVisitor() {
            @Override
            public void visit(Link link) {
                link.setDestination(destination(page, link.getDestination()));
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
                    // {@code settings.md#proxy} becomes {@code /docs/settings#proxy}; links to other targets are
                    // unchanged.
                    if (tag.equals("table") || tag.equals("pre")) {
                        attributes.put("tabindex", "0");
                    }
                })
                .build()
                .render(document);
    }

    /** Heading anchors as in common Markdown viewers. */
    private static String destination(String page, String link) {
        int hash = link.indexOf('#');
        String path = hash < 0 ? link : link.substring(0, hash);
        if (!path.endsWith(".md") || path.contains(":")) {
            return link;
        }
        return URI.create("/docs/" + page).resolve(path.substring(0, path.length() - ".md".length()))
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
