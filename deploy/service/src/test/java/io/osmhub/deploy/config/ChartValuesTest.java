package io.osmhub.deploy.config;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.schema.ObjectValidator;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The chart's schema, default values and reference page follow from chart-values-schema.yaml. With UPDATE=true they are rewritten first. */
final class ChartValuesTest {
    private static final boolean UPDATE = Boolean.getBoolean("osmhub.update");
    private static final Path ROOT = Path.of(System.getProperty("osmhub.root", "../.."));
    private static final Path CHART = ROOT.resolve("deploy/packaging/helm");
    private static final int LINE = 120;

    private static final JsonNode SCHEMA = schema();

    private static JsonNode schema() {
        try (InputStream in = ChartValuesTest.class.getResourceAsStream("chart-values-schema.yaml")) {
            JsonNode schema = read("chart-values-schema.yaml", new String(in.readAllBytes(), StandardCharsets.UTF_8));
            ((ObjectNode) schema.at("/properties/config"))
                    .set("properties", ConfigurationSchema.SCHEMA.get("properties"));
            return schema;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static JsonNode read(String source, String yaml) {
        return SourceDocument.json(YamlDocumentReader.read(source, yaml, Reason.SettingsInvalid)
                .getFirst()
                .root());
    }

    @Test
    void theSchemaIsCurrent() throws IOException {
        assertCurrent(
                CHART.resolve("values.schema.json"),
                new ObjectMapper()
                                .writerWithDefaultPrettyPrinter()
                                .writeValueAsString(JsonSchemaWriter.of(SCHEMA, "values"))
                        + "\n");
    }

    @Test
    void theDefaultValuesAreCurrent() throws IOException {
        StringBuilder text = new StringBuilder(
                "# Default values of the chart, generated from code; docs/reference/chart.md lists them too.\n");
        writeDefaults(text, SCHEMA, "");
        assertCurrent(CHART.resolve("values.yaml"), text.toString());
    }

    /** The chart replaces the pods when a value of these keys changes; a running hub reloads the others. */
    @Test
    void theKeysThatNeedARestartAreCurrent() throws IOException {
        assertCurrent(
                CHART.resolve("files/restart-keys.txt"),
                ConfigurationKey.all().stream()
                        .filter(key -> !key.inPlace())
                        .map(ConfigurationKey::path)
                        .collect(Collectors.joining("\n")));
    }

    /** The written file means the same defaults as the schema. */
    @Test
    void theDefaultValuesAreThoseOfTheSchema() throws IOException {
        var written = read("values.yaml", Files.readString(CHART.resolve("values.yaml")));
        var built = ObjectValidator.withDefaults(SCHEMA, JsonNodeFactory.instance.objectNode());
        ((ObjectNode) built).putObject("config");

        // As text, since a number read from YAML has another class.
        assertThat(written).hasToString(built.toString());
    }

    @Test
    void theReferenceIsCurrent() throws IOException {
        Path page = ROOT.resolve("docs/reference/chart.md");
        StringBuilder table = new StringBuilder("""
                | value | meaning | type | values | default |
                |---|---|---|---|---|
                """);
        for (ConfigurationKey value : values(SCHEMA, "")) {
            table.append("| ")
                    .append(String.join(
                            " | ",
                            "`" + value.path() + "`",
                            value.description().replace("|", "\\|"),
                            isConfiguration(value.schema()) ? "object" : value.type(),
                            isConfiguration(value.schema())
                                    ? ""
                                    : value.values().replace("|", "\\|"),
                            "`" + defaultText(value.schema()) + "`"))
                    .append(" |\n");
        }
        String text = Files.readString(page);
        int begin = text.indexOf("| value |");
        int end = text.indexOf("\n\n", begin);
        assertCurrent(page, text.substring(0, begin) + table + (end < 0 ? "" : text.substring(end + 1)));
    }

    @Test
    void theSizesAreThoseOfTheTableOfMeasuredOnes() throws IOException {
        String template = Files.readString(CHART.resolve("templates/_helpers.tpl"));
        Matcher row = Pattern.compile("(?m)^\\| (Small|Medium|Large) \\| [^|]+ \\| (\\w+) \\| (\\w+) \\| (\\w+) \\|")
                .matcher(Files.readString(ROOT.resolve("docs/performance.md")));
        int rows = 0;
        for (; row.find(); rows++) {
            assertThat(template)
                    .contains("\"%s\" (dict \"cpu\" \"%s\" \"memory\" \"%s\" \"limit\" \"%s\")"
                            .formatted(row.group(1), row.group(2), row.group(3), row.group(4)));
        }

        assertThat(rows).isEqualTo(3);
    }

    @Test
    void everyValueSaysWhatItIsFor() {
        assertThat(values(SCHEMA, ""))
                .allSatisfy(
                        value -> assertThat(value.description()).endsWith(".").doesNotContain("  "));
    }

    private static void assertCurrent(Path file, String text) throws IOException {
        if (UPDATE) {
            Files.writeString(file, text);
        }
        assertThat(Files.readString(file))
                .as("run: UPDATE=true ./hub test deploy/service ChartValuesTest")
                .isEqualTo(text);
    }

    private static boolean isSection(JsonNode schema) {
        return schema.has("properties") && !isConfiguration(schema);
    }

    private static boolean isConfiguration(JsonNode schema) {
        return schema == SCHEMA.at("/properties/config");
    }

    /** All values, in the order of the file; the configuration of the hub is one, with its own reference. */
    private static List<ConfigurationKey> values(JsonNode section, String prefix) {
        List<ConfigurationKey> values = new ArrayList<>();
        section.get("properties").properties().forEach(field -> {
            String name = field.getKey();
            JsonNode schema = field.getValue();
            if (isSection(schema)) {
                values.addAll(values(schema, prefix + name + "."));
            } else {
                values.add(new ConfigurationKey(prefix + name, schema, "", false));
            }
        });
        return values;
    }

    private static String defaultText(JsonNode schema) {
        var value = schema.get("default");
        assertThat(value).isNotNull();
        return ConfigurationKey.text(value);
    }

    private static void writeDefaults(StringBuilder text, JsonNode section, String indent) {
        section.get("properties").properties().forEach(field -> {
            String name = field.getKey();
            JsonNode schema = field.getValue();
            if (indent.isEmpty()) {
                text.append('\n');
            }
            if (isSection(schema)) {
                text.append(indent).append(name).append(":\n");
                writeDefaults(text, schema, indent + "  ");
                return;
            }
            writeComment(text, schema, indent);
            text.append(indent)
                    .append(name)
                    .append(": ")
                    .append(defaultText(schema))
                    .append('\n');
        });
    }

    private static void writeComment(StringBuilder text, JsonNode schema, String indent) {
        String values = schema.path("enum").valueStream().map(JsonNode::asText).collect(Collectors.joining(", "));
        StringBuilder line = new StringBuilder(indent).append('#');
        for (String word : (schema.path("description").asText() + (values.isEmpty() ? "" : " One of " + values + "."))
                .split(" ")) {
            if (line.length() + 1 + word.length() > LINE) {
                text.append(line).append('\n');
                line = new StringBuilder(indent).append('#');
            }
            line.append(' ').append(word);
        }
        text.append(line).append('\n');
    }
}
