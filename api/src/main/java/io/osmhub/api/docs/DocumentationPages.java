package io.osmhub.api.docs;

import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.http.PageCall;
import io.osmhub.api.http.Reply;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.problem.MessageFormatter;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Public pages: documents and the contract, rendered when the hub is built. They contain no tenant data. */
public final class DocumentationPages {
    /** Name of the page about the contract. */
    public static final String API = "api";

    /** Name of the page that shows a problem. */
    static final String PROBLEM = "problem";

    private static final String INDEX = "index";
    private static final String HTML = "text/html; charset=utf-8";
    private static final Pattern NAME = Pattern.compile("([a-z-]+/)?[a-z0-9-]+");

    private final ApiContract contract;

    public DocumentationPages(ApiContract contract) {
        this.contract = contract;
    }

    /** All pages. */
    public List<WebPage> pages() {
        return List.of(
                WebPage.get("/openapi.yaml", call -> contract(call, "application/yaml"))
                        .withoutSignIn(),
                WebPage.get("/openapi.json", call -> contract(call, "application/json"))
                        .withoutSignIn(),
                WebPage.get("/docs", call -> document(INDEX)).withoutSignIn(),
                WebPage.get("/docs/docs.css", call -> content("text/css; charset=utf-8", read("docs.css")))
                        .withoutSignIn(),
                WebPage.get(
                                "/docs/{folder}/{document}",
                                call -> document(call.path("folder") + "/" + call.path("document")))
                        .withoutSignIn(),
                WebPage.get("/docs/{document}", call -> document(call.path("document")))
                        .withoutSignIn());
    }

    private Reply contract(PageCall call, String mediaType) {
        String server = "https://" + call.host();
        String text = mediaType.endsWith("yaml") ? contract.yaml(server) : contract.json(server);
        return content(mediaType, text);
    }

    private static Reply document(String name) throws ApiProblem {
        String resource = "pages/" + name + ".html";
        if (!NAME.matcher(name).matches()
                || name.equals(PROBLEM)
                || DocumentationPages.class.getResource(resource) == null) {
            throw ApiProblem.notFound("document of this name; all are listed at /docs");
        }
        return content(HTML, read(resource));
    }

    /** Renders a problem as a page, for a hub without console. */
    public static Reply.ReplyContent renderProblem(ApiProblem problem, String requestId) {
        String detail = MessageFormatter.visible(problem.detail() + " (request " + requestId + ")")
                .replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;");
        String page = read("pages/" + PROBLEM + ".html")
                .replace("@title@", problem.type().title())
                .replace("@detail@", detail);
        return new Reply.ReplyContent(HTML, page.getBytes(StandardCharsets.UTF_8));
    }

    private static Reply content(String mediaType, String text) {
        return new Reply(200, new Reply.ReplyContent(mediaType, text.getBytes(StandardCharsets.UTF_8)), Map.of());
    }

    static String read(String resource) {
        try (InputStream stream = DocumentationPages.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException(resource + " is missing from the program");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
