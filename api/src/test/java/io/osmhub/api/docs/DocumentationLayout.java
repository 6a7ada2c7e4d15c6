package io.osmhub.api.docs;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** The common layout of documentation pages, with the navigation of all pages. */
final class DocumentationLayout {
    /** Of an entry of the index. */
    private static final Pattern ENTRY = Pattern.compile("^- \\[([^]]+)]\\(([^)]+)\\.md\\)", Pattern.MULTILINE);

    private final Map<String, Map<String, String>> groups;
    private final Map<String, List<DocumentSection>> sections;

    /**
     * A layout.
     *
     * @param index the document that lists all others below the heading of their group
     * @param sections of each page by its name
     */
    DocumentationLayout(String index, Map<String, List<DocumentSection>> sections) {
        this.groups = groups(index);
        this.sections = sections;
    }

    /** Titles of pages by their names, by group. */
    static Map<String, Map<String, String>> groups(String index) {
        Map<String, Map<String, String>> groups = new LinkedHashMap<>();
        for (String part : index.split("(?m)^## ", -1)) {
            Map<String, String> pages = new LinkedHashMap<>();
            Matcher entries = ENTRY.matcher(part);
            while (entries.find()) {
                pages.put(entries.group(2), entries.group(1));
            }
            if (!pages.isEmpty()) {
                groups.put(part.lines().findFirst().orElse(""), pages);
            }
        }
        groups.getOrDefault("Reference", new LinkedHashMap<>()).put(DocumentationPages.API, "API operations");
        return groups;
    }

    /**
     * A whole page.
     *
     * @param name of the page; null for one without navigation
     */
    String page(String title, @Nullable String name, String body) {
        HtmlBuilder page = new HtmlBuilder()
                .raw("<!doctype html>")
                .open("html", "lang", "en")
                .open("head")
                .open("meta", "charset", "utf-8")
                .open("meta", "name", "viewport", "content", "width=device-width, initial-scale=1")
                .element("title", title + " · OSM Hub")
                .open("link", "rel", "icon", "href", "/console/mark.svg", "type", "image/svg+xml")
                .open("link", "rel", "stylesheet", "href", "/docs/docs.css")
                .close("head")
                .open("body")
                .element("a", "Skip to content", "class", "skip", "href", "#main")
                .open("header")
                .open("nav", "aria-label", "Documentation")
                .link("/", "OSM Hub")
                .link("/docs", "Documentation")
                .link("/docs/api", "API");
        if (name != null) {
            page.element("a", "Contents", "class", "to-contents", "href", "#contents");
        }
        page.close("nav")
                .close("header")
                .open("div", "class", "docs")
                .open("main", "id", "main")
                .raw(body)
                .close("main");
        if (name != null) {
            contents(page, name);
        }
        return page.close("div").close("body").close("html").toString();
    }

    /** All pages by group; below the current one, its sections. */
    private void contents(HtmlBuilder page, String current) {
        page.open("nav", "class", "contents", "id", "contents", "aria-label", "Contents")
                .open("ul");
        groups.forEach((group, pages) -> {
            page.open("li").element("strong", group).open("ul");
            pages.forEach((name, title) -> entry(page, name, title, name.equals(current)));
            page.close("ul").close("li");
        });
        page.close("ul").close("nav");
    }

    private void entry(HtmlBuilder page, String name, String title, boolean current) {
        page.open("li");
        if (current) {
            page.element("a", title, "href", "/docs/" + name, "aria-current", "page")
                    .open("ul");
            sections.getOrDefault(name, List.of()).stream()
                    .filter(section -> section.level() == 2)
                    .forEach(section -> page.open("li")
                            .link("#" + section.anchor(), section.heading())
                            .close("li"));
            page.close("ul");
        } else {
            page.link("/docs/" + name, title);
        }
        page.close("li");
    }
}
