package io.osmhub.api.docs;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.core.type.TypeReference;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.http.PageCall;
import io.osmhub.api.http.Reply;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.problem.ApiProblem;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/** Public pages: documents and the contract, rendered when the hub is built. They contain no tenant data. */
public final class DocumentationPages {
    private static final Pattern NAME = Pattern.compile("([a-z-]+/)?[a-z0-9-]+");

    /** Title by name, in list order; decisions are linked from the architecture. */
    static final Map<String, List<String>> GROUPS = groups();

    /** Name of the page about the contract. */
    public static final String API = "api";

    private final ApiContract contract;
    private final Map<String, List<DocumentSection>> sections;
    private final DocumentSearch search;

    public DocumentationPages(ApiContract contract) {
        this.contract = contract;
        try {
            this.sections = new ObjectMapper().readValue(read("pages/sections.json"), new TypeReference<>() {});
        } catch (JsonProcessingException e) {
            throw new UncheckedIOException(e);
        }
        List<DocumentSearch.Entry> entries = new ArrayList<>();
        GROUPS.values().stream().flatMap(List::stream).forEach(name -> add(name, title(name), entries));
        add(API, "API operations", entries);
        this.search = new DocumentSearch(entries);
    }

    private void add(String name, String page, List<DocumentSearch.Entry> entries) {
        sections.getOrDefault(name, List.of())
                .forEach(section -> entries.add(new DocumentSearch.Entry(
                        page, "/docs/" + name + "#" + section.anchor(), section.heading(), section.text())));
    }

    private static Map<String, List<String>> groups() {
        Map<String, List<String>> groups = new LinkedHashMap<>();
        groups.put("Quick start", List.of("quick-start"));
        groups.put(
                "How-to guides",
                List.of(
                        "how-to/install",
                        "how-to/size",
                        "how-to/register-tenants",
                        "how-to/use-cluster-api",
                        "how-to/replace-osm",
                        "how-to/diagnose-nodes",
                        "how-to/troubleshoot",
                        "how-to/inspect-the-fleet",
                        "how-to/use-the-console",
                        "how-to/expose-the-console",
                        "how-to/use-profiles",
                        "how-to/write-templates",
                        "how-to/render-from-files",
                        "how-to/admission",
                        "how-to/air-gap",
                        "how-to/monitor",
                        "how-to/respond-to-alerts",
                        "how-to/rotate-credentials",
                        "how-to/back-up",
                        "how-to/upgrade",
                        "how-to/remove",
                        "how-to/release",
                        "how-to/use-the-simulator"));
        groups.put(
                "Reference",
                List.of(
                        "reference/reasons",
                        "reference/settings",
                        "reference/crds",
                        "reference/annotations",
                        "reference/kkp",
                        "reference/configuration",
                        "reference/chart",
                        "reference/metrics",
                        "reference/cli",
                        "reference/functions",
                        "reference/lint",
                        "reference/default-profiles",
                        "reference/api",
                        "reference/logs-and-traces",
                        "reference/support"));
        groups.put(
                "Explanation",
                List.of("why-the-hub", "architecture", "security", "compatibility", "performance", "glossary"));
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
                WebPage.get(DocumentationLayout.SEARCH, this::search).withoutSignIn(),
                WebPage.get(DocumentationLayout.STYLE, call -> style()).withoutSignIn(),
                WebPage.get("/docs/api", call -> api()).withoutSignIn(),
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

    private Reply list() {
        HtmlBuilder body = new HtmlBuilder().element("h1", "Documents");
        GROUPS.forEach((group, names) -> {
            body.element("h2", group).open("ul");
            names.forEach(
                    name -> body.open("li").link("/docs/" + name, title(name)).close("li"));
            body.close("ul");
        });
        return DocumentationLayout.page("Documents", "", body, contents(""));
    }

    private Reply api() {
        return page("API", API);
    }

    private Reply search(PageCall call) {
        String asked = call.query("q").orElse("").strip();
        String query = asked.substring(0, Math.min(asked.length(), DocumentSearch.LONGEST_QUERY));
        List<DocumentSearch.Entry> found = search.find(query);
        HtmlBuilder body = new HtmlBuilder()
                .element("h1", query.isEmpty() ? "Search the documents" : "Sections with “" + query + "”");
        if (found.isEmpty()) {
            body.element("p", query.isEmpty() ? "Enter one or more words." : "No section contains all of these words.");
        } else {
            body.open("ol", "class", "matches");
            found.forEach(entry -> body.open("li")
                    .link(entry.href(), entry.heading())
                    .element("span", entry.page(), "class", "page")
                    .element("p", DocumentSearch.excerpt(entry, query))
                    .close("li"));
            body.close("ol");
            if (found.size() == DocumentSearch.MOST_MATCHES) {
                body.element("p", "These are the best " + found.size() + " matches. Add a word to narrow them down.");
            }
        }
        return DocumentationLayout.page("Search", query, body, contents(""));
    }

    /** The first heading of a page. */
    private String title(String name) {
        return sections.getOrDefault(name, List.of()).getFirst().heading();
    }

    private Reply document(String name) throws ApiProblem {
        if (!NAME.matcher(name).matches() || !sections.containsKey(name)) {
            throw ApiProblem.notFound("document of this name; all are listed at /docs");
        }
        return page(title(name), name);
    }

    private Reply page(String title, String name) {
        HtmlBuilder text = new HtmlBuilder().raw(read("pages/" + name + ".html"));
        return DocumentationLayout.page(title, "", text, contents(name));
    }

    /** All pages by group; below the current one, its sections. */
    private HtmlBuilder contents(String current) {
        HtmlBuilder nav = new HtmlBuilder()
                .open("nav", "class", "contents", "id", "contents", "aria-label", "Contents")
                .open("ul");
        GROUPS.forEach((group, names) -> {
            nav.open("li").element("strong", group).open("ul");
            names.forEach(name -> entry(nav, name, title(name), current));
            if (group.equals("Reference")) {
                entry(nav, API, "API operations", current);
            }
            nav.close("ul").close("li");
        });
        return nav.close("ul").close("nav");
    }

    private void entry(HtmlBuilder nav, String name, String title, String current) {
        nav.open("li");
        if (name.equals(current)) {
            nav.element("a", title, "href", "/docs/" + name, "aria-current", "page")
                    .open("ul");
            sections.getOrDefault(name, List.of()).stream()
                    .filter(section -> section.level() == 2)
                    .forEach(section -> nav.open("li")
                            .link("#" + section.anchor(), section.heading())
                            .close("li"));
            nav.close("ul");
        } else {
            nav.link("/docs/" + name, title);
        }
        nav.close("li");
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
