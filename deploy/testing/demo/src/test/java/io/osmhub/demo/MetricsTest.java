package io.osmhub.demo;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
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
    private static final Pattern ROW =
            Pattern.compile("\\| `((?:osm_hub|vertx)_\\w+)` \\| ([a-z]+)[^|]* \\|([^|]*)\\|.*");
    private static final Pattern LABEL = Pattern.compile("`(\\w+)`(?:: ([\\w ]+))?");

    private static final Pattern LEGEND = Pattern.compile("\\{\\{(\\w+)}}");
    /** Labels added by Prometheus, and that of histograms. */
    private static final Set<String> OF_PROMETHEUS = Set.of("instance", "job", "le");

    private static final Set<String> FUNCTIONS =
            Set.of("sum", "min", "max", "topk", "rate", "increase", "histogram_quantile", "max_over_time", "time");

    @TempDir
    private static Path folder;

    private Exposition shown;
    private Map<String, Documented> documented;

    /** @param labels with the values that are named; none named: any */
    private record Documented(String type, Map<String, Set<String>> labels) {}

    @BeforeAll
    void scrape() throws Exception {
        try (ObservedHub hub = FullMetricsHub.start(folder)) {
            String text = hub.scrape();
            // promtool checks it in CI.
            Files.writeString(
                    Files.createDirectories(root().resolve("deploy/testing/demo/target"))
                            .resolve("metrics.txt"),
                    text);
            shown = Exposition.of(text);
        }
        documented = documented(Files.readString(root().resolve("docs/reference/metrics.md")));
    }

    static Path root() {
        Path folder = Path.of("").toAbsolutePath();
        while (!Files.exists(folder.resolve("docs/architecture.md"))) {
            folder = Objects.requireNonNull(folder.getParent(), "the checkout has docs/architecture.md");
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
            if ((name.startsWith("osm_hub_") || name.startsWith("vertx_")) && !greatest) {
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

    @Test
    void everyMetricHasAHelpText() {
        assertThat(shown.types().keySet())
                .allSatisfy(name ->
                        assertThat(shown.help().getOrDefault(name, "")).as(name).isNotBlank());
    }

    // Rules and dashboard

    @Test
    void rulesAndDashboardNameOnlyWhatThereIs() throws Exception {
        MonitoringRules rules = MonitoringRules.read(root());
        List<String> unknown = new ArrayList<>();
        rules.expressions().forEach((place, text) -> {
            PromQlExpression expression = PromQlExpression.of(text);
            Set<String> labels = new TreeSet<>(OF_PROMETHEUS);
            for (PromQlExpression.Selector selector : expression.selectors()) {
                if (rules.recorded().contains(selector.metric())) {
                    continue;
                }
                Map<String, Set<String>> known = shown.series().get(selector.metric());
                if (known == null) {
                    unknown.add(place + ": no metric " + selector.metric());
                    continue;
                }
                labels.addAll(known.keySet());
                selector.values().forEach((label, values) -> values.stream()
                        .filter(value -> !isKnown(selector.metric(), label, value))
                        .forEach(value -> unknown.add(
                                place + ": no " + selector.metric() + "{" + label + "=\"" + value + "\"}")));
            }
            expression.grouping().stream()
                    .filter(label -> !labels.contains(label))
                    .forEach(label -> unknown.add(place + ": no label " + label));
            expression.functions().stream()
                    .filter(function -> !FUNCTIONS.contains(function))
                    .forEach(function -> unknown.add(place + ": no function " + function));
        });

        assertThat(rules.expressions()).hasSizeGreaterThan(60);
        assertThat(unknown).isEmpty();
    }

    /** Seen at this hub, or documented as possible, which another test holds against the hub. */
    private boolean isKnown(String metric, String label, String value) {
        Set<String> seen = shown.series().getOrDefault(metric, Map.of()).getOrDefault(label, Set.of());
        Documented row = documented.get(metric.replaceAll("_(bucket|count|sum|max)$", ""));
        return seen.contains(value)
                || row != null && row.labels().getOrDefault(label, Set.of()).contains(value);
    }

    @Test
    void everyAlertSaysWhatToDoAndIsDocumented() throws Exception {
        MonitoringRules rules = MonitoringRules.read(root());
        List<String> headings = Files.readString(root().resolve("docs/how-to/respond-to-alerts.md"))
                .lines()
                .filter(line -> line.startsWith("#"))
                .map(line -> line.replaceAll("^#+ ", ""))
                .toList();
        Set<String> alerts = new TreeSet<>();
        for (JsonNode alert : rules.alerts()) {
            alerts.add(alert.path("alert").asText());
            assertThat(alert.path("annotations").path("summary").asText()).isNotEmpty();
            assertThat(alert.path("annotations").path("description").asText()).isNotEmpty();
            assertThat(alert.path("labels").path("severity").asText()).isIn("page", "ticket");
            assertThat(alert.path("for").asText()).isNotEmpty();
            String link = alert.path("annotations").path("runbook_url").asText();
            String anchor = link.substring(link.indexOf('#') + 1);
            assertThat(link).contains("/docs/how-to/respond-to-alerts#");
            assertThat(headings).anySatisfy(heading -> assertThat(heading).isEqualToIgnoringCase(anchor));
        }
        Set<String> described = new TreeSet<>(headings.stream()
                .filter(heading -> heading.startsWith("OSMHub"))
                .toList());

        assertThat(alerts.stream().map(name -> name.equals("OSMHubAPISlow") ? "OSMHubAPIErrors" : name))
                .containsAll(described);
        assertThat(described).hasSize(13);
    }

    @Test
    void aPanelThatNeedsSeriesForEachTenantSaysSo() throws Exception {
        for (JsonNode panel : MonitoringRules.read(root()).dashboard().path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                if (target.path("expr").asText().contains("osm_hub_tenant")) {
                    assertThat(panel.path("title").asText()).contains("metrics.perTenant");
                }
                assertThat(target.path("datasource").path("uid").asText()).isEqualTo("${datasource}");
            }
        }
    }

    @Test
    void theLegendsOfTheDashboardNameLabelsThatTheirExpressionsKeep() throws Exception {
        List<String> wrong = new ArrayList<>();
        for (JsonNode panel : MonitoringRules.read(root()).dashboard().path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                PromQlExpression expression =
                        PromQlExpression.of(target.path("expr").asText());
                Set<String> kept = new TreeSet<>(Set.of("instance"));
                kept.addAll(expression.grouping());
                expression
                        .selectors()
                        .forEach(selector -> kept.addAll(shown.series()
                                .getOrDefault(selector.metric(), Map.of())
                                .keySet()));
                Matcher label = LEGEND.matcher(target.path("legendFormat").asText());
                while (label.find()) {
                    if (!kept.contains(label.group(1))) {
                        wrong.add(panel.path("title").asText() + ": " + label.group(1));
                    }
                }
            }
        }

        assertThat(wrong).isEmpty();
    }
}
