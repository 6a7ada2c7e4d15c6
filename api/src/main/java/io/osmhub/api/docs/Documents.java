package io.osmhub.api.docs;

import io.osmhub.api.contract.Contract;
import io.osmhub.api.http.Page;
import io.osmhub.api.http.PageCall;
import io.osmhub.api.http.Reply;
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

/** Pages that need no sign-in: documents, the contract for programs and for people. They name no tenant. */
public final class Documents {
    private static final Pattern NAME = Pattern.compile("(adr/)?[a-z0-9-]+");
    /** Title by name, in the order of the list; decisions are linked from the architecture. */
    static final Map<String, String> TITLES = titles();

    private final Contract contract;
    private final ContractPage contractPage;
    private final Map<String, String> rendered = new ConcurrentHashMap<>();

    public Documents(Contract contract) {
        this.contract = contract;
        this.contractPage = new ContractPage(contract);
    }

    private static Map<String, String> titles() {
        Map<String, String> titles = new LinkedHashMap<>();
        titles.put("operating", "Operating the hub, and what each reason means");
        titles.put("conditions", "Conditions, Events and states");
        titles.put("configuration", "Configuration");
        titles.put("settings", "Settings of a tenant");
        titles.put("profiles", "Profiles");
        titles.put("templates", "Templates");
        titles.put("lint", "The linter");
        titles.put("rendering", "Rendering without a cluster");
        titles.put("metrics", "Metrics");
        titles.put("security", "Security");
        titles.put("compatibility", "Compatibility");
        titles.put("performance", "Performance");
        titles.put("architecture", "Architecture");
        titles.put("simulator", "The simulator");
        titles.put("glossary", "Glossary");
        return titles;
    }

    /** All pages. */
    public List<Page> pages() {
        return List.of(
                Page.get("/openapi.yaml", call -> contract(call, "application/yaml"))
                        .open(),
                Page.get("/openapi.json", call -> contract(call, "application/json"))
                        .open(),
                Page.get("/docs", call -> list()).open(),
                Page.get(Frame.STYLE, call -> style()).open(),
                Page.get("/docs/api", call -> contractPage.page()).open(),
                Page.get("/docs/adr/{document}", call -> document("adr/" + call.path("document")))
                        .open(),
                Page.get("/docs/{document}", call -> document(call.path("document")))
                        .open());
    }

    private Reply contract(PageCall call, String mediaType) {
        String server = "https://" + call.host();
        String text = mediaType.endsWith("yaml") ? contract.yaml(server) : contract.json(server);
        return content(mediaType, text);
    }

    private static Reply list() {
        Html body = new Html().element("h1", "Documents").open("ul");
        TITLES.forEach(
                (name, title) -> body.open("li").link("/docs/" + name, title).close("li"));
        return Frame.page("Documents", body.close("ul"));
    }

    private Reply document(String name) throws ApiProblem {
        if (!NAME.matcher(name).matches() || Documents.class.getResource("pages/" + name + ".md") == null) {
            throw ApiProblem.notFound("document of this name; all are listed at /docs");
        }
        String html = rendered.computeIfAbsent(name, each -> Markdown.html(read("pages/" + each + ".md")));
        return Frame.page(TITLES.getOrDefault(name, "Decision"), new Html().rendered(html));
    }

    private static Reply style() {
        return content("text/css; charset=utf-8", read("docs.css"));
    }

    private static Reply content(String mediaType, String text) {
        return new Reply(200, new Reply.Content(mediaType, text.getBytes(StandardCharsets.UTF_8)), Map.of());
    }

    static String read(String resource) {
        try (InputStream stream = Documents.class.getResourceAsStream(resource)) {
            if (stream == null) {
                throw new IllegalStateException(resource + " is not in the program");
            }
            return new String(stream.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
