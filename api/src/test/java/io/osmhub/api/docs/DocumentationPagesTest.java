package io.osmhub.api.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.console.PageVisit;
import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.http.Reply;
import io.osmhub.api.http.WebPage;
import io.osmhub.api.problem.ApiProblem;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocumentationPagesTest {
    @Test
    void everyDocumentOfTheProjectIsServed() throws IOException {
        Path docs = Path.of(System.getProperty("osmhub.root", ".."), "docs");
        List<String> listed =
                new ArrayList<>(DocumentationLayout.groups(Files.readString(docs.resolve("index.md"))).values().stream()
                        .flatMap(pages -> pages.keySet().stream())
                        .toList());
        listed.remove(DocumentationPages.API);
        try (Stream<Path> files = Files.walk(docs)) {
            List<String> names = files.filter(file -> file.toString().endsWith(".md"))
                    .map(file -> docs.relativize(file).toString().replaceFirst("\\.md$", ""))
                    .filter(name -> !name.startsWith("adr/") && !name.equals("index"))
                    .toList();
            assertThat(listed).containsExactlyInAnyOrderElementsOf(names);
        }
        listed.forEach(name ->
                assertThat(DocumentationPages.read("pages/" + name + ".html")).contains("<h1"));
    }

    @Test
    void everyReasonCanBeLinkedTo() {
        String html = DocumentationPages.read("pages/reference/reasons.html");

        for (Reason reason : Reason.values()) {
            assertThat(html).contains("id=\"" + reason.wireName().toLowerCase(Locale.ROOT) + "\"");
        }
    }

    @Test
    void htmlInADocumentIsShownAsText() {
        String html =
                Markdown.html("how-to/install", "# A <b>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1))\n");

        assertThat(html).doesNotContain("<script", "<b>", "javascript:");
    }

    @Test
    void commentsAreNotShown() {
        assertThat(Markdown.html("architecture", "A\n\n<!-- classes -->\n```\nB\n```\n<!-- end -->\n\nC\n"))
                .contains("A", "B", "C")
                .doesNotContain("classes", "--");
    }

    @Test
    void linksBetweenDocumentsLeadToPages() {
        assertThat(Markdown.html("how-to/install", "[x](../reference/settings.md#proxy) [y](monitor.md)"))
                .contains("\"/docs/reference/settings#proxy\"", "\"/docs/how-to/monitor\"");
        assertThat(Markdown.html("architecture", "[x](adr/0001-a.md)")).contains("\"/docs/adr/0001-a\"");
    }

    @Test
    void theContractIsShownWithEveryOperation() throws Exception {
        ApiContract contract = ApiContract.load();
        String html = get("/docs/{document}", Map.of("document", "api"));

        contract.operations().forEach(each -> assertThat(html).contains("id=\"" + each.id() + "\""));
        assertThat(html).doesNotContain("<script", "style=", "onclick");
    }

    @Test
    void theContractNamesTheServerThatItWasReadFrom() {
        assertThat(ApiContract.load().yaml("https://hub.example.org:8443"))
                .contains("- url: https://hub.example.org:8443/api/v1\n")
                .doesNotContain("osm-hub.osm-hub.svc:8443");
        assertThat(ApiContract.load().json("https://hub.example.org:8443"))
                .contains("\"https://hub.example.org:8443/api/v1\"");
    }

    private static String get(String address, Map<String, String> path) throws ApiProblem {
        WebPage page = new DocumentationPages(ApiContract.load())
                .pages().stream()
                        .filter(one -> one.path().equals(address))
                        .findFirst()
                        .orElseThrow();
        Reply reply = page.answer().handle(PageVisit.to(address, path));
        return reply.body() instanceof Reply.ReplyContent content ? new String(content.bytes(), UTF_8) : "";
    }

    @Test
    void everyPageListsAllPagesAndItsOwnSections() throws Exception {
        String page = get("/docs/{document}", Map.of("document", "architecture"));

        assertThat(page)
                .contains("<a href=\"/docs/architecture\" aria-current=\"page\">Architecture</a>")
                .contains("<a href=\"#rendering\">Rendering</a>", "id=\"rendering\"")
                .contains("href=\"/docs/how-to/upgrade\"", "href=\"#contents\"", "id=\"contents\"");
    }

    @Test
    void theIndexSaysWhatEachPageIsFor() throws Exception {
        assertThat(get("/docs", Map.of()))
                .contains("What each page is for.")
                .containsPattern("/docs/glossary\">[^<]*</a>: [A-Z]")
                .doesNotContain("aria-current");
    }

    @Test
    void aProblemIsShownAsText() {
        Reply.ReplyContent page = DocumentationPages.renderProblem(ApiProblem.badRequest("<b>"), "r1");

        assertThat(new String(page.bytes(), UTF_8))
                .contains("&lt;b&gt; (request r1)")
                .doesNotContain("@", "<b>");
    }

    @Test
    void aSectionsAnchorIsThatOfItsHeading() {
        String markdown = "# A\n\n## Same `x`\n\none\n\n## Same `x`\n\ntwo\n\n### Deep\n";

        assertThat(Markdown.sections(markdown))
                .extracting(DocumentSection::anchor)
                .containsExactly("a", "same-x", "same-x-1", "deep")
                .allSatisfy(anchor -> assertThat(Markdown.html("p", markdown)).contains("id=\"" + anchor + "\""));
    }
}
