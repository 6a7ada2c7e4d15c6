package io.osmhub.deploy.explain;

import io.osmhub.deploy.config.ConfigurationKey;
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
        return table(ConfigurationKey.all());
    }

    private static List<String> table(List<ConfigurationKey> keys) {
        return new TextLayout()
                .table(keys.stream()
                        .map(key -> Map.entry(key.path(), key.description()))
                        .toList())
                .all();
    }

    @Override
    public List<String> explain(String name) {
        List<ConfigurationKey> keys = ConfigurationKey.find(name);
        if (keys.isEmpty() && name.startsWith(DEFAULTS)) {
            return new SettingsTopic().explain(name.substring(DEFAULTS.length()));
        }
        return switch (keys.size()) {
            case 0 -> List.of();
            case 1 -> one(keys.getFirst());
            default -> table(keys);
        };
    }

    private static List<String> one(ConfigurationKey key) {
        return new TextLayout()
                .title(key.path() + " of the hub's configuration (" + key.type() + ")")
                .blank()
                .paragraph(key.description())
                .blank()
                .field("values", key.values())
                .field("default", key.builtIn())
                .field("variable", key.variable().isEmpty() ? "none, file only" : key.variable())
                .field("option", (key.flag().isEmpty() ? "" : key.flag() + ", or ") + "--set " + key.path() + "=VALUE")
                .field("changes", key.inPlace() ? "reloaded from the file by a running hub" : "require a restart")
                .all();
    }

    @Override
    public Optional<String> suggestion(String unknown) {
        return ConfigurationKey.suggestion(unknown);
    }
}
