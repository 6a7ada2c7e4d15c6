package io.osmhub.api.docs;

import io.osmhub.api.http.Reply;
import io.osmhub.api.problem.ApiProblem;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** The common layout of documentation pages. */
public final class DocumentationLayout {
    static final String MEDIA_TYPE = "text/html; charset=utf-8";
    static final String STYLE = "/docs/docs.css";

    private DocumentationLayout() {}

    static Reply page(String title, HtmlBuilder body) {
        byte[] bytes = html(title, body).getBytes(StandardCharsets.UTF_8);
        return new Reply(200, new Reply.ReplyContent(MEDIA_TYPE, bytes), Map.of());
    }

    static String html(String title, HtmlBuilder body) {
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
                .open("header")
                .open("nav", "aria-label", "Documents")
                .link("/", "OSM Hub")
                .link("/docs", "Documents")
                .link("/docs/api", "API");
        page.close("nav")
                .close("header")
                .open("main")
                .raw(body.toString())
                .close("main")
                .close("body")
                .close("html");
        return page.toString();
    }

    /** Renders a problem as a page, for a hub without console. */
    public static Reply.ReplyContent renderProblem(ApiProblem problem, String requestId) {
        String html = html(
                problem.type().title(),
                new HtmlBuilder()
                        .element("h1", problem.type().title())
                        .element("p", problem.detail())
                        .element("p", "Request " + requestId));
        return new Reply.ReplyContent(MEDIA_TYPE, html.getBytes(StandardCharsets.UTF_8));
    }
}
