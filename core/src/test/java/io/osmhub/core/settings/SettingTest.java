package io.osmhub.core.settings;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.resource.YamlText;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SettingTest {
    private static final Pattern BRACES = Pattern.compile("(.*)\\{(.*)}");
    private static final Path PAGE =
            Path.of(System.getProperty("osmhub.root", "..")).resolve("docs/reference/settings.md");

    private record Row(String peer, String field, String builtInDefault, String rolls) {}

    @Test
    void tableIsTheContract() {
        List<Row> contract = contractRows();

        List<Row> ours = Setting.ALL.stream()
                .map(setting -> new Row(setting.peer(), setting.path(), setting.builtInText(), rolls(setting)))
                .toList();

        assertThat(contract).hasSizeGreaterThan(30);
        assertThat(ours).containsExactlyElementsOf(contract);
    }

    @Test
    void settingsWithoutHubWideDefaultAreThoseOfTheContract() {
        String paragraph = YamlText.text("/contracts/settings.md");
        paragraph = paragraph.substring(
                paragraph.indexOf("Not in the hub-wide defaults"), paragraph.indexOf("None of them rolls"));
        List<String> named = Pattern.compile("`([a-z][A-Za-z.]+)`(?:\\s+\\(`([^`]+)`\\))?")
                .matcher(paragraph)
                .results()
                .map(match -> match.group(1) + "=" + Objects.requireNonNullElse(match.group(2), "none"))
                .toList();

        List<String> ours = Arrays.stream(Setting.values())
                .filter(setting -> !setting.isHubWide())
                .map(setting -> setting.path() + "=" + setting.builtInText())
                .toList();

        assertThat(ours).containsExactlyInAnyOrderElementsOf(named);
    }

    @Test
    void everySettingIsAFieldOfTheSchemaWithAMeaning() {
        assertThat(Setting.values()).allSatisfy(setting -> {
            assertThat(setting.type()).isNotEmpty();
            assertThat(setting.summary()).endsWith(".");
        });
    }

    @Test
    void everyFieldOfTheSchemaIsASetting() {
        List<String> leaves = new ArrayList<>();
        collectLeaves(ShippedDefinition.WORKER_CLUSTERS.schema().at("/properties/spec"), "", leaves);

        assertThat(leaves).hasSizeGreaterThan(40).allSatisfy(leaf -> assertThat(Setting.below(leaf))
                .hasSize(1));
    }

    @Test
    void findsWhatIsBelowAPath() {
        assertThat(Setting.below("spec.provisioning.proxy"))
                .extracting(Setting::path)
                .containsExactly(
                        "provisioning.proxy.httpProxy",
                        "provisioning.proxy.httpProxySecretRef",
                        "provisioning.proxy.noProxy");
        assertThat(Setting.below("provisioning.prox")).isEmpty();
    }

    @Test
    void saysTypeAndValuesInWords() {
        Setting ttl = Setting.below("provisioning.bootstrap.tokenTTL").getFirst();
        Setting taints = Setting.below("provisioning.kubelet.initialTaints").getFirst();
        Setting dns = Setting.below("provisioning.clusterDNS").getFirst();

        assertThat(ttl.type() + ": " + ttl.allowedValues()).isEqualTo("duration: between 90m and 24h");
        assertThat(taints.type() + ": " + taints.allowedValues())
                .isEqualTo("list of objects {key, value, effect}: at most 32 items");
        assertThat(dns.type() + ": " + dns.allowedValues())
                .isEqualTo("list of texts: 1 to 8 items; an IPv4 or IPv6 address");
    }

    /** With UPDATE=true the page is rewritten first. */
    @Test
    void documentationPageIsWhatTheCodeSays() throws IOException {
        String page = Files.readString(PAGE);
        String written = page.substring(0, page.indexOf("| field below")) + table();
        if (Boolean.getBoolean("osmhub.update")) {
            Files.writeString(PAGE, written);
        }

        assertThat(Files.readString(PAGE)).isEqualTo(written);
    }

    private static List<Row> contractRows() {
        List<Row> rows = new ArrayList<>();
        for (String line : YamlText.text("/contracts/settings.md").lines().toList()) {
            if (!line.startsWith("| ") || line.startsWith("| peer flag")) {
                if (line.startsWith("Not in the hub-wide defaults")) {
                    break;
                }
                continue;
            }
            String[] cells = line.replace("`", "").split(" *\\| *", -1);
            String[] fields = expand(cells[2]);
            String[] defaults = fields.length == 2 ? cells[3].split(", ", -1) : new String[] {cells[3]};
            for (int i = 0; i < fields.length; i++) {
                rows.add(new Row(cells[1], fields[i], defaults[i % defaults.length], cells[4]));
            }
        }
        return rows;
    }

    /** {@code a.{b,c}} and {@code a.b, .c} are two fields each. */
    private static String[] expand(String cell) {
        Matcher braces = BRACES.matcher(cell);
        if (braces.matches()) {
            return Stream.of(braces.group(2).split(","))
                    .map(name -> braces.group(1) + name)
                    .toArray(String[]::new);
        }
        String[] parts = cell.split(", ", -1);
        for (int i = 1; i < parts.length; i++) {
            parts[i] = parts[0].substring(0, parts[0].lastIndexOf('.')) + parts[i];
        }
        return parts;
    }

    private static void collectLeaves(JsonNode schema, String path, List<String> leaves) {
        if (schema.has("properties")) {
            schema.get("properties")
                    .properties()
                    .forEach(field -> collectLeaves(
                            field.getValue(), path.isEmpty() ? field.getKey() : path + "." + field.getKey(), leaves));
        } else {
            leaves.add(path);
        }
    }

    private static String table() {
        StringBuilder table = new StringBuilder("""
                | field below `spec.` | meaning | type | values | built-in default | hub-wide default | peer | rolls |
                |---|---|---|---|---|---|---|---|
                """);
        for (Setting setting : Setting.values()) {
            table.append("| ")
                    .append(String.join(
                            " | ",
                            "`" + setting.path() + "`",
                            cell(setting.summary()),
                            cell(setting.type()),
                            cell(setting.allowedValues()),
                            "`" + setting.builtInText() + "`",
                            setting.isHubWide() ? "yes" : "-",
                            cell(setting.peer()),
                            rolls(setting)))
                    .append(" |\n");
        }
        return table.toString();
    }

    private static String rolls(Setting setting) {
        String letters = setting.affectedObjects().stream()
                .map(object -> String.valueOf(object.letter()))
                .collect(Collectors.joining(" "));
        return (letters.isEmpty() ? "-" : letters) + (setting.note().isEmpty() ? "" : " (" + setting.note() + ")");
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
