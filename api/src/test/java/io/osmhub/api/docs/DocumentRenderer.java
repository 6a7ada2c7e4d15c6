package io.osmhub.api.docs;

import io.osmhub.api.contract.ApiContract;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Writes the pages of the documentation as HTML. Maven runs it from its source when it packages the API, so that the hub contains
 * files only.
 */
final class DocumentRenderer {
    private DocumentRenderer() {}

    /** Arguments: the folder of the documents and that of the pages. */
    public static void main(String[] arguments) throws IOException {
        Path documents = Path.of(arguments[0]);
        Path pages = Path.of(arguments[1]);
        Map<String, List<DocumentSection>> sections = new TreeMap<>();
        Map<String, String> bodies = new TreeMap<>();
        List<Path> files;
        try (Stream<Path> found = Files.walk(documents, 2)) {
            files = found.filter(file -> file.toString().endsWith(".md")).toList();
        }
        for (Path file : files) {
            String name = documents.relativize(file).toString().replaceFirst("\\.md$", "");
            String markdown = Files.readString(file);
            sections.put(name, Markdown.sections(markdown));
            bodies.put(name, Markdown.html(name, markdown));
        }
        ContractPage contract = new ContractPage(ApiContract.load());
        sections.put(DocumentationPages.API, contract.sections());
        bodies.put(DocumentationPages.API, contract.body().toString());
        DocumentationLayout layout = new DocumentationLayout(Files.readString(documents.resolve("index.md")), sections);
        for (Map.Entry<String, String> body : bodies.entrySet()) {
            String name = body.getKey();
            String title = name.equals(DocumentationPages.API)
                    ? "API operations"
                    : sections.getOrDefault(name, List.of()).getFirst().heading();
            write(pages, name + ".html", layout.page(title, name, body.getValue()));
        }
        HtmlBuilder problem = new HtmlBuilder().element("h1", "@title@").element("p", "@detail@");
        write(pages, DocumentationPages.PROBLEM + ".html", layout.page("@title@", null, problem.toString()));
    }

    private static void write(Path pages, String name, String text) throws IOException {
        Path page = pages.resolve(name);
        Files.createDirectories(page.getParent());
        Files.writeString(page, text);
    }
}
