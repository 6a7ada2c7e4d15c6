package io.osmhub.api.docs;

import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.http.PageCall;
import io.osmhub.api.http.Reply;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.problem.ApiProblem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** Public pages: documents and the contract. They contain no tenant data. */
public final class DocumentationPages {
    private static final Pattern NAME = Pattern.compile("([a-z-]+/)?[a-z0-9-]+");

    /** Title by name, in list order; decisions are linked from the architecture. */
    static final Map<String, List<String>> GROUPS = groups();

    private final ApiContract contract;
    private final ContractPage contractPage;
    private final Map<String, String> rendered = new ConcurrentHashMap<>();

    public DocumentationPages(ApiContract contract) {
        this.contract = contract;
        this.contractPage = new ContractPage(contract);
    }

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("Quick start", List.of("quick-start"));
        groups.put(
                "How-to guides",
                List.of(
                        "how-to/install",
                        "how-to/size",
                        "how-to/upgrade",
                        "how-to/register-tenants",
                        "how-to/use-cluster-api",
                        "how-to/inspect-the-fleet",
                        "how-to/diagnose-nodes",
                        "how-to/use-the-console",
                        "how-to/use-profiles",
                        "how-to/write-templates",
                        "how-to/render-from-files",
                        "how-to/air-gap",
                        "how-to/release",
                        "how-to/admission",
                        "how-to/monitor",
                        "how-to/respond-to-alerts",
                        "how-to/rotate-credentials",
                        "how-to/back-up",
                        "how-to/replace-osm",
                        "how-to/use-the-simulator"));
        groups.put(
                "Reference",
                List.of(
                        "reference/reasons",
                        "reference/settings",
                        "reference/annotations",
                        "reference/kkp",
                        "reference/configuration",
                        "reference/chart",
                        "reference/metrics",
                        "reference/cli",
                        "reference/functions",
                        "reference/lint",
                        "reference/api",
                        "reference/logs-and-traces"));
        groups.put("Explanation", List.of("architecture", "security", "compatibility", "performance", "glossary"));
        return groups;
    }

    /** All pages. */
    public List<WebPage> pages() {
        return List.of(
                WebPage.get("/openapi.yaml", call -> contract(call, "application/yaml"))
                        .withoutSignIn(),
                WebPage.get("/openapi.json", call -> contract(call, "application/json"))
                        .withoutSignIn(),
                WebPage.get("/docs", call -> list()).withoutSignIn(),
                WebPage.get(DocumentationLayout.STYLE, call -> style()).withoutSignIn(),
                WebPage.get("/docs/api", call -> contractPage.page()).withoutSignIn(),
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

    private static Reply list() {
        HtmlBuilder body = new HtmlBuilder().element("h1", "Documents");
        GROUPS.forEach((group, names) -> {
            body.element("h2", group).open("ul");
            names.forEach(
                    name -> body.open("li").link("/docs/" + name, title(name)).close("li"));
            body.close("ul");
        });
        return DocumentationLayout.page("Documents", body);
    }

    /** The first heading of a page. */
    private static String title(String name) {
        return read("pages/" + name + ".md").lines().findFirst().orElseThrow().substring("# ".length());
    }

    private Reply document(String name) throws ApiProblem {
        if (!NAME.matcher(name).matches() || DocumentationPages.class.getResource("pages/" + name + ".md") == null) {
            throw ApiProblem.notFound("document of this name; all are listed at /docs");
        }
        String html = rendered.computeIfAbsent(name, each -> Markdown.html(each, read("pages/" + each + ".md")));
        return DocumentationLayout.page(title(name), new HtmlBuilder().raw(html));
    }

    private static Reply style() {
        return content("text/css; charset=utf-8", read("docs.css"));
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
