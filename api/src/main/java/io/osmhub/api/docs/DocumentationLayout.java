package io.osmhub.api.docs;

import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The common layout of documentation pages. */
public final class DocumentationLayout {
    static final String MEDIA_TYPE = "text/html; charset=utf-8";
    static final String STYLE = "/docs/docs.css";
    static final String SEARCH = "/docs/search";
    private static final String LONGEST_QUERY = String.valueOf(DocumentSearch.LONGEST_QUERY);

    private DocumentationLayout() {}

    /**
     * A documentation page.
     *
     * @param contents its navigation, beside the text
     */
    static Reply page(String title, String query, HtmlBuilder body, HtmlBuilder contents) {
        byte[] bytes = html(title, query, body, contents).getBytes(StandardCharsets.UTF_8);
        return new Reply(200, new Reply.ReplyContent(MEDIA_TYPE, bytes), Map.of());
    }

    private static String html(String title, String query, HtmlBuilder body, @Nullable HtmlBuilder contents) {
        HtmlBuilder page = new HtmlBuilder()
                .raw("<!doctype html>")
                .open("html", "lang", "en")
                .open("head")
                .open("meta", "charset", "utf-8")
                .open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
                .element("title", title + " · OSM Hub")
                .open("link", "rel", "icon", "href", "/console/mark.svg", "type", "image/svg+xml")
                .open("link", "rel", "stylesheet", "href", STYLE)
                .close("head")
                .open("body")
                .element("a", "Skip to content", "class", "skip", "href", "#main")
                .open("header")
                .open("nav", "aria-label", "Documents")
                .link("/", "OSM Hub")
                .link("/docs", "Documents")
                .link("/docs/api", "API");
        if (contents != null) {
            page.element("a", "Contents", "class", "to-contents", "href", "#contents");
        }
        page.close("nav")
                .open("form", "role", "search", "action", SEARCH, "method", "get")
                .element("label", "Search the documents", "for", "q")
                .open("input", "type", "search", "id", "q", "name", "q", "value", query, "maxlength", LONGEST_QUERY)
                .element("button", "Search", "type", "submit")
                .close("form")
                .close("header")
                .open("div", "class", "docs")
                .open("main", "id", "main")
                .raw(body.toString())
                .close("main")
                .raw(contents == null ? "" : contents.toString())
                .close("div")
                .close("body")
                .close("html");
        return page.toString();
    }

    /** Renders a problem as a page, for a hub without console. */
    public static Reply.ReplyContent renderProblem(ApiProblem problem, String requestId) {
        String html = html(
                problem.type().title(),
                "",
                new HtmlBuilder()
                        .element("h1", problem.type().title())
                        .element("p", problem.detail())
                        .element("p", "Request " + requestId),
                null);
        return new Reply.ReplyContent(MEDIA_TYPE, html.getBytes(StandardCharsets.UTF_8));
    }
}
