package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/** The metrics of a running hub are those that the documents, the alert rules and the dashboard name. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MetricsTest {
    private static final Pattern ROW = Pattern.compile("\\| `(osm_hub_\\w+)` \\| ([a-z]+)[^|]* \\|([^|]*)\\|.*");
    private static final Pattern LABEL = Pattern.compile("`(\\w+)`(?:: ([\\w ]+))?");

    @TempDir
    private static Path folder;

    private Exposition shown;
    private Map<String, Documented> documented;

    /** @param labels with the values that are named; none named: any */
    private record Documented(String type, Map<String, Set<String>> labels) {}

    @BeforeAll
    void scrape() throws Exception {
        try (ObservedHub hub = BusyHub.start(folder)) {
            shown = Exposition.of(hub.scrape());
        }
        documented = documented(Files.readString(root().resolve("docs/metrics.md")));
    }

    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/operating.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "the checkout has docs/operating.md");
        }
        return folder;
    }

    private static Map<String, Documented> documented(String page) {
        Map<String, Documented> all = new TreeMap<>();
        page.lines().map(ROW::matcher).filter(Matcher::matches).forEach(row -> {
            Map<String, Set<String>> labels = new LinkedHashMap<>();
            Matcher label = LABEL.matcher(row.group(3));
            while (label.find()) {
                labels.put(
                        label.group(1),
                        label.group(2) == null
                                ? Set.of()
                                : Set.of(label.group(2).trim().split(" ", -1)));
            }
            all.put(row.group(1), new Documented(row.group(2), labels));
        });
        return all;
    }

    @Test
    void theDocumentedMetricsAreThoseThatARunningHubShows() {
        Set<String> families = new TreeSet<>();
        shown.types().forEach((name, type) -> {
            boolean greatest = name.endsWith("_max") && shown.types().containsKey(name.replaceAll("_max$", ""));
            if (name.startsWith("osm_hub_") && !greatest) {
                families.add(name);
            }
        });

        assertThat(documented.keySet()).containsExactlyElementsOf(families);
    }

    @Test
    void typesAndLabelsAreAsDocumented() {
        List<String> wrong = new ArrayList<>();
        documented.forEach((name, row) -> {
            if (!row.type().equals(shown.types().get(name))) {
                wrong.add(name + " is a " + shown.types().get(name));
            }
            if (!row.labels().keySet().equals(shown.labels(name))) {
                wrong.add(name + " has the labels " + shown.labels(name));
            }
            row.labels().forEach((label, values) -> {
                Set<String> others = new TreeSet<>(shown.values(name, label));
                others.removeAll(values);
                if (!values.isEmpty() && !others.isEmpty()) {
                    wrong.add(name + " has in " + label + " also " + others);
                }
            });
        });

        assertThat(wrong).isEmpty();
    }

    @Test
    void noLabelNamesATenantOrAnObjectWhereSeriesForEachTenantAreNotMeant() {
        List<String> named = new ArrayList<>();
        shown.series().forEach((name, labels) -> {
            if (!name.startsWith("osm_hub_tenant_")) {
                labels.forEach((label, values) -> values.stream()
                        .filter(value -> value.contains("cluster-a") || value.contains("worker-b"))
                        .forEach(value -> named.add(name + " " + label + "=" + value)));
            }
        });

        assertThat(named).isEmpty();
    }
}
