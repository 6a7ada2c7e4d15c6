package io.osmhub.deploy.config;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.problem.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values of the configuration file. */
final class FileLayer {
    private static final String API_VERSION = "config.osmhub.io/v1alpha1";
    private static final String KIND = "HubConfiguration";

    private final String file;
    private final ConfigurationValues values;
    private final ConfigurationErrors mistakes;

    private FileLayer(String file, ConfigurationValues values, ConfigurationErrors mistakes) {
        this.file = file;
        this.values = values;
        this.mistakes = mistakes;
    }

    /** @param file its name in messages */
    static void read(String file, String text, ConfigurationValues values, ConfigurationErrors mistakes) {
        DocumentNode root = ConfigurationParser.read(text, mistakes.in(file));
        FileLayer layer = new FileLayer(file, values, mistakes);
        if (root instanceof DocumentNode.Fields fields) {
            layer.expect(fields, "apiVersion", API_VERSION);
            layer.expect(fields, "kind", KIND);
            layer.section(fields, "");
        } else if (root != null && !isNull(root)) {
            mistakes.add(
                    file,
                    root.position(),
                    "",
                    "is " + root.describe() + ", not a configuration",
                    "begin with apiVersion: " + API_VERSION);
        }
    }

    private void expect(DocumentNode.Fields root, String field, String value) {
        DocumentNode found = root.get(field);
        if (found == null) {
            mistakes.add(file, root.position(), field, "is missing", "write " + field + ": " + value);
        } else if (!(found instanceof DocumentNode.Scalar scalar
                && scalar.text().equals(value))) {
            mistakes.add(file, found.position(), field, "is not " + value, "write " + field + ": " + value);
        }
    }

    private void section(DocumentNode.Fields section, String path) {
        for (DocumentNode.Field field : section.fields()) {
            String name = path.isEmpty() ? field.name() : path + "." + field.name();
            ConfigurationKey<?> key = key(name);
            if (key != null) {
                if (!isNull(field.value())) {
                    applyValue(key, field.value());
                }
            } else if (ConfigurationKeys.ALL.stream()
                    .anyMatch(known -> known.path().startsWith(name + "."))) {
                below(field.value(), name);
            } else if (!path.isEmpty() || !List.of("apiVersion", "kind").contains(name)) {
                mistakes.add(file, field.position(), name, "unknown key", suggestion(path, field.name()));
            }
        }
    }

    private void below(DocumentNode value, String path) {
        if (value instanceof DocumentNode.Fields fields) {
            section(fields, path);
        } else if (!isNull(value)) {
            mistakes.add(
                    file,
                    value.position(),
                    path,
                    "is " + value.describe() + ", not a section",
                    "write its keys below it");
        }
    }

    private <T> void applyValue(ConfigurationKey<T> key, DocumentNode node) {
        T value = key.form().read(node, key.path(), mistakes.in(file));
        if (value != null) {
            values.set(key, value, new ValueOrigin.File(file, node.position()));
        }
    }

    static @Nullable ConfigurationKey<?> key(String path) {
        return ConfigurationKeys.ALL.stream()
                .filter(key -> key.path().equals(path))
                .findFirst()
                .orElse(null);
    }

    private static boolean isNull(DocumentNode node) {
        return node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.NULL;
    }

    /** Suggests a key of the same section, or one of the same name elsewhere. */
    private static String suggestion(String section, String name) {
        String prefix = section.isEmpty() ? "" : section + ".";
        List<String> siblings = new ArrayList<>();
        for (ConfigurationKey<?> key : ConfigurationKeys.ALL) {
            if (key.path().startsWith(prefix)) {
                String rest = key.path().substring(prefix.length());
                siblings.add(rest.indexOf('.') < 0 ? rest : rest.substring(0, rest.indexOf('.')));
            }
        }
        Optional<String> near = SpellingSuggestion.findClosest(
                name, siblings.stream().distinct().toList());
        return near.or(() -> ConfigurationKeys.ALL.stream()
                        .map(ConfigurationKey::path)
                        .filter(path -> path.endsWith("." + name))
                        .findFirst())
                .map(word -> "did you mean " + word + "?")
                .orElse("valid keys: "
                        + String.join(", ", siblings.stream().distinct().toList()));
    }
}
