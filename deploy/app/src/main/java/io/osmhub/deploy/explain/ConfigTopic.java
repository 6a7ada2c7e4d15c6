package io.osmhub.deploy.explain;

import io.osmhub.deploy.config.ConfigurationReference;
import io.osmhub.deploy.config.ConfigurationReference.Entry;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** The keys of the hub's own configuration. */
final class ConfigTopic implements ExplainTopic {
    private static final String DEFAULTS = "defaults.";

    @Override
    public String name() {
        return "config";
    }

    @Override
    public String summary() {
        return "the hub's own configuration: file, environment and command line";
    }

    @Override
    public List<String> listEntries() {
        return table(ConfigurationReference.all());
    }

    private static List<String> table(List<Entry> entries) {
        return new TextLayout()
                .table(entries.stream()
                        .map(entry -> Map.entry(entry.path(), entry.description()))
                        .toList())
                .all();
    }

    @Override
    public List<String> explain(String name) {
        List<Entry> entries = ConfigurationReference.find(name);
        if (entries.isEmpty() && name.startsWith(DEFAULTS)) {
            return new SettingsTopic().explain(name.substring(DEFAULTS.length()));
        }
        return switch (entries.size()) {
            case 0 -> List.of();
            case 1 -> one(entries.getFirst());
            default -> table(entries);
        };
    }

    private static List<String> one(Entry entry) {
        return new TextLayout()
                .title(entry.path() + " of the hub's configuration (" + entry.type() + ")")
                .blank()
                .paragraph(entry.description())
                .blank()
                .field("values", entry.values())
                .field("default", entry.builtIn())
                .field("variable", entry.variable().isEmpty() ? "none, file only" : entry.variable())
                .field(
                        "option",
                        (entry.flag().isEmpty() ? "" : entry.flag() + ", or ") + "--set " + entry.path() + "=VALUE")
                .field("changes", entry.inPlace() ? "reloaded from the file by a running hub" : "require a restart")
                .all();
    }

    @Override
    public Optional<String> suggestion(String unknown) {
        return ConfigurationReference.suggestion(unknown);
    }
}
