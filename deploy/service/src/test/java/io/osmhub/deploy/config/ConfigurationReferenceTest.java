package io.osmhub.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.problem.SourcePosition;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;

final class ConfigurationReferenceTest {
    /** With UPDATE=true the files are rewritten first; the diff is the review. */
    private static final boolean UPDATE = Boolean.getBoolean("osmhub.update");

    private static final Path REFERENCE =
            Path.of(System.getProperty("osmhub.root", "../..")).resolve("docs/reference");

    @Test
    void theDocumentationHasTheTableOfTheCode() throws IOException {
        Path page = REFERENCE.resolve("configuration.md");
        if (UPDATE) {
            String text = Files.readString(page);
            int table = text.indexOf("| key |");
            int end = text.indexOf("\n\n", table);
            Files.writeString(page, text.substring(0, table) + table() + (end < 0 ? "" : text.substring(end + 1)));
        }

        assertThat(Files.readString(page)).contains(table());
    }

    @Test
    void theJsonSchemaOfTheFileIsCurrent() throws IOException {
        Path file = REFERENCE.resolve("hub.schema.json");
        String schema = new ObjectMapper()
                        .writerWithDefaultPrettyPrinter()
                        .writeValueAsString(JsonSchemaWriter.ofConfiguration())
                + "\n";
        if (UPDATE) {
            Files.writeString(file, schema);
        }

        assertThat(Files.readString(file)).isEqualTo(schema);
    }

    @Test
    void everyKeySaysWhatItIsFor() {
        assertThat(ConfigurationKey.all()).allSatisfy(entry -> {
            assertThat(entry.description()).endsWith(".").doesNotContain("  ");
            assertThat(entry.builtIn()).isNotEmpty();
        });
    }

    @Test
    void theReportCountsNamesAndSaysWhereToReadOn() {
        InputError one = new InputError(
                "hub.yaml", new SourcePosition(31, 17), "replicas.renewInterval", "9s is too long", "use less");
        InputError other =
                new InputError("--log-level", SourcePosition.NONE, "loud", "not one of error, warn, info, debug", "");

        assertThat(ConfigurationReport.lines("hub", "in the configuration", "nothing was started", List.of(one, other)))
                .containsExactly(
                        "hub: 2 errors in the configuration, nothing was started",
                        "  hub.yaml:31:17  replicas.renewInterval  9s is too long; use less",
                        "  --log-level     loud                    not one of error, warn, info, debug",
                        "For help: docs/reference/configuration.md, replicas.renewInterval");
        assertThat(ConfigurationReport.lines("hub", "in the configuration", "", List.of(other)))
                .startsWith("hub: 1 error in the configuration")
                .hasSize(2);
    }

    private static String table() {
        StringBuilder table = new StringBuilder("""
                | key | meaning | type | values | default | variable | option | in place |
                |---|---|---|---|---|---|---|---|
                """);
        for (ConfigurationKey key : ConfigurationKey.all()) {
            table.append("| ")
                    .append(String.join(
                            " | ",
                            "`" + key.path() + "`",
                            cell(key.description()),
                            cell(key.type()),
                            cell(key.values()),
                            "`" + key.builtIn() + "`",
                            key.variable().isEmpty() ? "-" : "`" + key.variable() + "`",
                            key.flag().isEmpty() ? "-" : "`" + key.flag() + "`",
                            key.inPlace() ? "yes" : "-"))
                    .append(" |\n");
        }
        return table.toString();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
