package io.osmhub.api.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.api.contract.Contract;
import io.osmhub.api.http.Reply;
import io.osmhub.core.problem.Reason;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class DocumentsTest {
    @Test
    void everyDocumentOfTheProjectIsServed() throws IOException {
        Path docs = Path.of(System.getProperty("osmhub.root", ".."), "docs");
        try (Stream<Path> files = Files.list(docs)) {
            List<String> names = files.filter(file -> file.toString().endsWith(".md"))
                    .map(file -> docs.relativize(file).toString().replaceFirst("\\.md$", ""))
                    .toList();
            assertThat(Documents.TITLES.keySet()).containsExactlyInAnyOrderElementsOf(names);
        }
        Documents.TITLES.keySet().forEach(name -> assertThat(Markdown.html(Documents.read("pages/" + name + ".md")))
                .contains("<h1"));
    }

    @Test
    void everyReasonCanBeLinkedTo() {
        String html = Markdown.html(Documents.read("pages/operating.md"));

        for (Reason reason : Reason.values()) {
            assertThat(html).contains("id=\"" + reason.word().toLowerCase(Locale.ROOT) + "\"");
        }
    }

    @Test
    void htmlInADocumentIsShownAsText() {
        String html = Markdown.html(
                "# A <b>\n\n<script>alert(1)</script>\n\n[x](javascript:alert(1)) [y](settings.md#proxy)\n");

        assertThat(html).doesNotContain("<script", "<b>", "javascript:").contains("/docs/settings#proxy");
    }

    @Test
    void theContractIsShownWithEveryOperation() {
        Contract contract = Contract.ofThisProgram();
        Reply page = new ContractPage(contract).page();
        String html = page.body() instanceof Reply.Content content ? new String(content.bytes(), UTF_8) : "";

        contract.operations().forEach(each -> assertThat(html).contains("id=\"" + each.id() + "\""));
        assertThat(html).doesNotContain("<script", "style=", "onclick");
    }

    @Test
    void theContractNamesTheServerThatItWasReadFrom() {
        assertThat(Contract.ofThisProgram().yaml("https://hub.example.org:8443"))
                .contains("- url: https://hub.example.org:8443/api/v1\n")
                .doesNotContain("osm-hub.osm-hub.svc:8443");
        assertThat(Contract.ofThisProgram().json("https://hub.example.org:8443"))
                .contains("\"https://hub.example.org:8443/api/v1\"");
    }
}
