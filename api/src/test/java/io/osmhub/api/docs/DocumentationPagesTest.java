package io.osmhub.api.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.contract.ApiContract;
import io.osmhub.api.http.Reply;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocumentationPagesTest {
    @Test
    void everyDocumentOfTheProjectIsServed() throws IOException {
        Path docs = Path.of(System.getProperty("osmhub.root", ".."), "docs");
        List<String> listed = DocumentationPages.GROUPS.values().stream()
                .flatMap(List::stream)
                .toList();
        try (Stream<Path> files = Files.walk(docs)) {
            List<String> names = files.filter(file -> file.toString().endsWith(".md"))
                    .map(file -> docs.relativize(file).toString().replaceFirst("\\.md$", ""))
                    .filter(name -> !name.startsWith("adr/"))
                    .toList();
            assertThat(listed).containsExactlyInAnyOrderElementsOf(names);
        }
        listed.forEach(name -> assertThat(Markdown.html(name, DocumentationPages.read("pages/" + name + ".md")))
                .contains("<h1"));
    }

    @Test
    void everyReasonCanBeLinkedTo() {
        String html = Markdown.html("reference/reasons", DocumentationPages.read("pages/reference/reasons.md"));

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
    void linksBetweenDocumentsLeadToPages() {
        assertThat(Markdown.html("how-to/install", "[x](../reference/settings.md#proxy) [y](monitor.md)"))
                .contains("\"/docs/reference/settings#proxy\"", "\"/docs/how-to/monitor\"");
        assertThat(Markdown.html("architecture", "[x](adr/0001-a.md)")).contains("\"/docs/adr/0001-a\"");
    }

    @Test
    void theContractIsShownWithEveryOperation() {
        ApiContract contract = ApiContract.load();
        Reply page = new ContractPage(contract).page();
        String html = page.body() instanceof Reply.ReplyContent content ? new String(content.bytes(), UTF_8) : "";

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
}
