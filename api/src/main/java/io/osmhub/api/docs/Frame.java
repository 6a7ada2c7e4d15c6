package io.osmhub.api.docs;

import io.osmhub.api.http.Reply;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** What all pages of the documents have around them. */
final class Frame {
    static final String MEDIA_TYPE = "text/html; charset=utf-8";
    static final String STYLE = "/docs/docs.css";

    private Frame() {}

    static Reply page(String title, Html body) {
        byte[] bytes = html(title, body).getBytes(StandardCharsets.UTF_8);
        return new Reply(200, new Reply.Content(MEDIA_TYPE, bytes), Map.of());
    }

    static String html(String title, Html body) {
        Html page = new Html()
                .rendered("<!doctype html>")
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
                .rendered(body.toString())
                .close("main")
                .close("body")
                .close("html");
        return page.toString();
    }
}
