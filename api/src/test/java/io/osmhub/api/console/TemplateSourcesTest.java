package io.osmhub.api.console;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What keeps texts of clusters from becoming markup can be seen in the sources. */
final class TemplateSourcesTest {
    private static final Path RESOURCES = Path.of("src/main/resources/io/osmhub/api/console");
    private static final Path SOURCES = Path.of("src/main/java/io/osmhub/api/console");

    private static List<Path> files(Path folder, String suffix) throws IOException {
        try (Stream<Path> files = Files.walk(folder)) {
            List<Path> found = files.filter(file -> file.toString().endsWith(suffix))
                    .sorted()
                    .toList();
            assertThat(found).as("files in " + folder).isNotEmpty();
            return found;
        }
    }

    private static void none(String what, String pattern) throws IOException {
        Pattern wanted = Pattern.compile(pattern);
        for (Path template : files(RESOURCES.resolve("templates"), ".hbs")) {
            List<String> lines = Files.readAllLines(template, UTF_8);
            for (int line = 0; line < lines.size(); line++) {
                assertThat(wanted.matcher(lines.get(line)).find())
                        .as("%s in %s:%d: %s", what, template.getFileName(), line + 1, lines.get(line))
                        .isFalse();
            }
        }
    }

    @Test
    void noTemplatePrintsWithoutEscaping() throws IOException {
        none("three braces", "\\{\\{\\{");
        none("an ampersand tag", "\\{\\{~?&");
        none("a raw block", "\\{\\{\\{\\{");
        none("an inline partial", "\\{\\{#?\\*");
    }

    @Test
    void noTemplateHasInlineScriptOrStyle() throws IOException {
        none("a script without an address", "<script(?![^>]*\\ssrc=\")[^>]*>");
        none("text in a script", "<script[^>]*>[^<]");
        none("a style element", "<style");
        none("a style attribute", "\\sstyle\\s*=");
        none("an event attribute", "\\son[a-z]+\\s*=");
        none("an address with a scheme", "\\s(href|src|action)=\"(?!/|#|\\{\\{)");
        none("a frame", "<(iframe|object|embed|base)");
        // After a sign-in at a provider, a redirect would not send the session's cookie.
        none("a header", "<meta http-equiv(?!=\"refresh\" content=\"0;url=\\{\\{back}}\">)");
    }

    @Test
    void everyValueInAnAttributeStandsInQuotes() throws IOException {
        none("a value without quotes", "[\\s][a-z-]+=\\{\\{");
    }

    @Test
    void onlyOneClassMakesMarkup() throws IOException {
        for (Path source : files(SOURCES, ".java")) {
            if (!source.endsWith("Markup.java")) {
                assertThat(Files.readString(source, UTF_8))
                        .as(source.toString())
                        .doesNotContain("SafeString", "\"</", "&lt;")
                        .doesNotContainPattern("\"<[a-z]+[ >\"]");
            }
        }
    }

    @Test
    void theScriptNeverMakesMarkupOrCode() throws IOException {
        for (Path script : files(RESOURCES.resolve("assets"), ".js")) {
            assertThat(Files.readString(script, UTF_8))
                    .doesNotContain(
                            "innerHTML",
                            "outerHTML",
                            "insertAdjacent",
                            "document.write",
                            "DOMParser",
                            "eval(",
                            "Function(",
                            ".style",
                            "setHTML");
        }
    }

    @Test
    void everyTemplateCompiles() {
        assertThat(new Templates()).isNotNull();
    }
}
