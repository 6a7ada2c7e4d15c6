package io.osmhub.core.settings;

import static org.assertj.core.api.Assertions.assertThat;

import io.osmhub.core.resource.YamlText;
import io.osmhub.core.schema.Schema;
import io.osmhub.core.settings.SettingsCatalog.Entry;
import io.osmhub.core.workercluster.WorkerCluster;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

class SettingsCatalogTest {
    private static final Pattern BRACES = Pattern.compile("(.*)\\{(.*)}");
    private static final Path PAGE =
            Path.of(System.getProperty("osmhub.root", "..")).resolve("docs/reference/settings.md");

    private record Row(String peer, String field, String builtInDefault, String rolls) {}

    @Test
    void tableIsTheContract() {
        List<Row> contract = contractRows();

        List<Row> ours = SettingsCatalog.all().stream()
                .filter(Entry::hubWide)
                .map(setting -> new Row(
                        setting.peer(),
                        setting.field(),
                        setting.builtInDefault(),
                        setting.note().isEmpty()
                                ? setting.rollsLetters()
                                : setting.rollsLetters() + " (" + setting.note() + ")"))
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

        List<String> ours = SettingsCatalog.all().stream()
                .filter(setting -> !setting.hubWide())
                .map(setting -> setting.field() + "=" + setting.builtInDefault())
                .toList();

        assertThat(ours).containsExactlyInAnyOrderElementsOf(named);
    }

    @Test
    void layersKnowTheSameSettings() {
        List<String> hubWide = SettingsCatalog.all().stream()
                .filter(Entry::hubWide)
                .map(Entry::field)
                .toList();

        assertThat(Setting.ALL).extracting(Setting::path).containsExactlyElementsOf(hubWide);
    }

    @Test
    void everySettingIsAFieldOfTheSchemaWithAMeaning() {
        assertThat(SettingsCatalog.all()).allSatisfy(setting -> {
            assertThat(setting.type()).isNotEmpty();
            assertThat(setting.summary()).endsWith(".");
        });
    }

    @Test
    void everyFieldOfTheSchemaIsASetting() {
        List<String> leaves = new ArrayList<>();
        collectLeaves(Objects.requireNonNull(WorkerCluster.schema().fields().get("spec")), "", leaves);

        assertThat(leaves).hasSizeGreaterThan(40).allSatisfy(leaf -> assertThat(SettingsCatalog.below(leaf))
                .hasSize(1));
    }

    @Test
    void findsWhatIsBelowAPath() {
        assertThat(SettingsCatalog.below("spec.provisioning.proxy"))
                .extracting(Entry::field)
                .containsExactly(
                        "provisioning.proxy.httpProxy",
                        "provisioning.proxy.httpProxySecretRef",
                        "provisioning.proxy.noProxy");
        assertThat(SettingsCatalog.below("provisioning.prox")).isEmpty();
    }

    @Test
    void suggestsAFieldForAMisspeltOrShortenedOne() {
        assertThat(SettingsCatalog.suggestion("provisioning.clusterDns")).contains("provisioning.clusterDNS");
        assertThat(SettingsCatalog.suggestion("nodeFetch")).contains("provisioning.bootstrap.nodeFetch");
        assertThat(SettingsCatalog.suggestion("colour")).isEmpty();
    }

    @Test
    void saysTypeAndValuesInWords() {
        Entry ttl = SettingsCatalog.below("provisioning.bootstrap.tokenTTL").getFirst();
        Entry taints =
                SettingsCatalog.below("provisioning.kubelet.initialTaints").getFirst();
        Entry dns = SettingsCatalog.below("provisioning.clusterDNS").getFirst();

        assertThat(ttl.type() + ": " + ttl.values()).isEqualTo("duration: between 90m and 24h");
        assertThat(taints.type() + ": " + taints.values())
                .isEqualTo("list of objects {key, value, effect}: at most 32 items");
        assertThat(dns.type() + ": " + dns.values()).isEqualTo("list of texts: 1 to 8 items; an IPv4 or IPv6 address");
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

    private static void collectLeaves(Schema schema, String path, List<String> leaves) {
        if (schema instanceof Schema.ObjectSchema structure) {
            structure
                    .fields()
                    .forEach((name, field) -> collectLeaves(field, path.isEmpty() ? name : path + "." + name, leaves));
        } else {
            leaves.add(path);
        }
    }

    private static String table() {
        StringBuilder table = new StringBuilder("""
                | field below `spec.` | meaning | type | values | built-in default | hub-wide default | peer | rolls |
                |---|---|---|---|---|---|---|---|
                """);
        for (Entry setting : SettingsCatalog.all()) {
            String rolls = setting.note().isEmpty()
                    ? setting.rollsLetters()
                    : setting.rollsLetters() + " (" + setting.note() + ")";
            table.append("| ")
                    .append(String.join(
                            " | ",
                            "`" + setting.field() + "`",
                            cell(setting.summary()),
                            cell(setting.type()),
                            cell(setting.values()),
                            "`" + setting.builtInDefault() + "`",
                            setting.hubWide() ? "yes" : "-",
                            cell(setting.peer()),
                            rolls))
                    .append(" |\n");
        }
        return table.toString();
    }

    private static String cell(String text) {
        return text.replace("|", "\\|").replace("<", "&lt;");
    }
}
