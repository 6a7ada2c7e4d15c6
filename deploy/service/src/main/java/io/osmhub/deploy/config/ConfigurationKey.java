package io.osmhub.deploy.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.schema.SchemaDescriptions;
import io.osmhub.core.template.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * One key of the configuration.
 *
 * @param path in the file, for example {@code replicas.leaseDuration}
 * @param flag option of {@code hub run} that also sets it; empty if only {@code --set}
 * @param inPlace whether a running hub reloads it
 */
public record ConfigurationKey(String path, JsonNode schema, String flag, boolean inPlace) {
    private static final String PREFIX = "OSM_HUB_";
    private static final List<ConfigurationKey> ALL =
            keys(ConfigurationSchema.SCHEMA, "").toList();

    private static Stream<ConfigurationKey> keys(JsonNode section, String prefix) {
        return section.get("properties").propertyStream().flatMap(property -> {
            String path = prefix + property.getKey();
            JsonNode value = property.getValue();
            return value.has("properties") && !path.equals(ConfigurationSchema.DEFAULTS)
                    ? keys(value, path + ".")
                    : Stream.of(new ConfigurationKey(
                            path,
                            value,
                            value.path("x-option").asText(),
                            value.path("x-reloadable").booleanValue()));
        });
    }

    /** All keys, in the order of the file. */
    public static List<ConfigurationKey> all() {
        return ALL;
    }

    static @Nullable ConfigurationKey of(String path) {
        return ALL.stream().filter(key -> key.path.equals(path)).findFirst().orElse(null);
    }

    public String type() {
        return SchemaDescriptions.describeType(schema);
    }

    /** Restrictions beyond the type; empty if none. */
    public String values() {
        return SchemaDescriptions.describeValues(schema, ConfigurationSchema.FORMATS);
    }

    public String description() {
        return schema.path("description").asText();
    }

    /** The built-in default in file syntax. */
    public String builtIn() {
        return text(in(ConfigurationSchema.defaults()));
    }

    /** Whether environment and command line can set it with a text; otherwise only the file, and {@code --set} with YAML. */
    boolean isTextual() {
        return !schema.has("properties") && !schema.path("items").has("properties");
    }

    /** The environment variable; empty if only the file can set the key. */
    public String variable() {
        return isTextual() ? variableName() : "";
    }

    /** A word starts where a capital follows a lower-case letter: installCRDs, authCacheTTL. */
    private String variableName() {
        return PREFIX
                + path.replace('.', '_')
                        .replaceAll("([a-z0-9])([A-Z])", "$1_$2")
                        .toUpperCase(Locale.ROOT);
    }

    /** How to correct an unknown variable. */
    static String correctVariable(String variable) {
        return ALL.stream()
                .filter(key -> !key.isTextual() && variable.startsWith(key.variableName()))
                .map(key -> key.path + " can only be set in the file")
                .findFirst()
                .or(() -> SpellingSuggestion.findClosest(
                                variable,
                                ALL.stream()
                                        .map(ConfigurationKey::variable)
                                        .sorted()
                                        .toList())
                        .map(near -> "did you mean " + near + "?"))
                .orElse("unset it; docs/reference/configuration.md lists all");
    }

    /** Its value; missing if the tree has none. */
    JsonNode in(JsonNode tree) {
        return in(tree, path);
    }

    static JsonNode in(JsonNode tree, String path) {
        return tree.at("/" + path.replace('.', '/'));
    }

    /** Sets its value, and adds the sections above it. */
    void set(ObjectNode tree, JsonNode value) {
        ObjectNode section = tree;
        String[] names = path.split("\\.");
        for (int i = 0; i < names.length - 1; i++) {
            section = section.withObjectProperty(names[i]);
        }
        section.set(names[names.length - 1], value);
    }

    /** A value in file syntax, in one line. */
    static String text(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT ->
                value.propertyStream()
                        .map(entry -> text(TextNode.valueOf(entry.getKey())) + ": " + text(entry.getValue()))
                        .collect(Collectors.joining(", ", "{", "}"));
            case ARRAY -> value.valueStream().map(ConfigurationKey::text).collect(Collectors.joining(", ", "[", "]"));
            case STRING -> isPlain(value.textValue()) ? value.textValue() : value.toString();
            case NUMBER, BOOLEAN, NULL, MISSING, BINARY, POJO -> value.asText();
        };
    }

    private static boolean isPlain(String text) {
        return text.matches("[A-Za-z0-9/][A-Za-z0-9./_-]*")
                && !Set.of("true", "false", "null", "yes", "no", "on", "off", "y", "n")
                        .contains(text.toLowerCase(Locale.ROOT))
                && !text.matches("[0-9.eE_+-]+|0[xo].*");
    }

    /** The key closest to an unknown path: of the same section, by its whole path, or of the same name elsewhere. */
    public static Optional<String> suggestion(String path) {
        String name = path.substring(path.lastIndexOf('.') + 1);
        List<String> paths = ALL.stream().map(ConfigurationKey::path).toList();
        return SpellingSuggestion.findClosest(name, siblings(path))
                .map(near -> path.substring(0, path.length() - name.length()) + near)
                .or(() -> SpellingSuggestion.findClosest(path, paths))
                .or(() -> paths.stream()
                        .filter(known -> SpellingSuggestion.findClosest(
                                        name, List.of(known.substring(known.lastIndexOf('.') + 1)))
                                .isPresent())
                        .findFirst());
    }

    /** The names of keys and sections next to a path. */
    static List<String> siblings(String path) {
        String prefix = path.substring(0, path.lastIndexOf('.') + 1);
        List<String> names = new ArrayList<>();
        for (ConfigurationKey key : ALL) {
            if (key.path.startsWith(prefix)) {
                names.add(key.path.substring(prefix.length()).replaceFirst("\\..*", ""));
            }
        }
        return names.stream().distinct().toList();
    }
}
