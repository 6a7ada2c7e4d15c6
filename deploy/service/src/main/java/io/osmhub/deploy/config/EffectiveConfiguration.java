package io.osmhub.deploy.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A configuration with the origin of each value.
 *
 * @param values of all keys, as in the file
 * @param origins by key; built-in values have none
 * @param file the file that was read; null if none
 */
public record EffectiveConfiguration(
        ObjectNode values,
        Map<String, ValueOrigin> origins,
        HubConfiguration configuration,
        @Nullable String file) {
    private static final int SOURCE_COLUMN = 60;

    public EffectiveConfiguration {
        origins = Map.copyOf(origins);
    }

    /** The value of a key in file syntax. */
    String text(ConfigurationKey key) {
        return ConfigurationKey.text(key.in(values));
    }

    /** A configuration file with every value, and its origin as a comment. */
    public List<String> print() {
        List<String> lines = new ArrayList<>(
                List.of("apiVersion: " + ConfigurationSchema.API_VERSION, "kind: " + ConfigurationSchema.KIND));
        print(values, "", lines);
        return lines;
    }

    private void print(JsonNode section, String prefix, List<String> lines) {
        String margin = "  ".repeat((int) prefix.chars().filter(c -> c == '.').count());
        for (Map.Entry<String, JsonNode> field : section.properties()) {
            String path = prefix + field.getKey();
            ConfigurationKey key = ConfigurationKey.of(path);
            if (key == null) {
                lines.add(margin + field.getKey() + ":");
                print(field.getValue(), path + ".", lines);
            } else {
                ValueOrigin origin = origins.getOrDefault(path, ValueOrigin.BUILT_IN);
                String line = margin + field.getKey() + ": " + ConfigurationKey.text(field.getValue());
                lines.add(line + " ".repeat(Math.max(2, SOURCE_COLUMN - line.length())) + "# " + origin.name());
            }
        }
    }
}
