package io.osmhub.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.snakeyaml.engine.v2.api.Load;
import org.snakeyaml.engine.v2.api.LoadSettings;

/** The monitoring files: alert rules and dashboard. */
record MonitoringRules(List<JsonNode> rules, JsonNode dashboard) {
    private static final ObjectMapper JSON = new ObjectMapper();

    static MonitoringRules read(Path root) throws IOException {
        Path folder = root.resolve("deploy/packaging/observability");
        JsonNode file = JSON.valueToTree(new Load(LoadSettings.builder().build())
                .loadFromString(Files.readString(folder.resolve("alerts.yaml"))));
        List<JsonNode> rules = new ArrayList<>();
        file.path("groups").forEach(group -> group.path("rules").forEach(rules::add));
        return new MonitoringRules(
                rules, JSON.readTree(folder.resolve("dashboard.json").toFile()));
    }

    List<JsonNode> alerts() {
        return rules.stream().filter(rule -> rule.has("alert")).toList();
    }

    List<String> recorded() {
        return rules.stream()
                .filter(rule -> rule.has("record"))
                .map(rule -> rule.path("record").asText())
                .toList();
    }

    /** Every expression with the place where it stands. */
    Map<String, String> expressions() {
        Map<String, String> all = new LinkedHashMap<>();
        for (JsonNode rule : rules) {
            String name = rule.path("alert").asText() + rule.path("record").asText();
            all.put("rule " + name + " #" + all.size(), rule.path("expr").asText());
        }
        for (JsonNode panel : dashboard.path("panels")) {
            for (JsonNode target : panel.path("targets")) {
                all.put(
                        "panel " + panel.path("title").asText() + " #" + all.size(),
                        target.path("expr").asText());
            }
        }
        return all;
    }
}
