package io.osmhub.deploy.config;

import io.osmhub.core.document.Node;
import io.osmhub.core.problem.Suggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The values of the configuration file. */
final class FileLayer {
    private static final String API_VERSION = "config.osmhub.io/v1alpha1";
    private static final String KIND = "HubConfiguration";

    private final String file;
    private final Values values;
    private final ConfigurationMistakes mistakes;

    private FileLayer(String file, Values values, ConfigurationMistakes mistakes) {
        this.file = file;
        this.values = values;
        this.mistakes = mistakes;
    }

    /** @param file its name in messages */
    static void read(String file, String text, Values values, ConfigurationMistakes mistakes) {
        Node root = ConfigurationText.read(text, mistakes.in(file));
        FileLayer layer = new FileLayer(file, values, mistakes);
        if (root instanceof Node.Fields fields) {
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

    private void expect(Node.Fields root, String field, String value) {
        Node found = root.get(field);
        if (found == null) {
            mistakes.add(file, root.position(), field, "is missing", "write " + field + ": " + value);
        } else if (!(found instanceof Node.Scalar scalar && scalar.text().equals(value))) {
            mistakes.add(file, found.position(), field, "is not " + value, "write " + field + ": " + value);
        }
    }

    private void section(Node.Fields section, String path) {
        for (Node.Field field : section.fields()) {
            String name = path.isEmpty() ? field.name() : path + "." + field.name();
            Key<?> key = key(name);
            if (key != null) {
                if (!isNull(field.value())) {
                    take(key, field.value());
                }
            } else if (Keys.ALL.stream().anyMatch(known -> known.path().startsWith(name + "."))) {
                below(field.value(), name);
            } else if (!path.isEmpty() || !List.of("apiVersion", "kind").contains(name)) {
                mistakes.add(file, field.position(), name, "unknown key", suggestion(path, field.name()));
            }
        }
    }

    private void below(Node value, String path) {
        if (value instanceof Node.Fields fields) {
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

    private <T> void take(Key<T> key, Node node) {
        T value = key.form().read(node, key.path(), mistakes.in(file));
        if (value != null) {
            values.set(key, value, new Origin.File(file, node.position()));
        }
    }

    static @Nullable Key<?> key(String path) {
        return Keys.ALL.stream()
                .filter(key -> key.path().equals(path))
                .findFirst()
                .orElse(null);
    }

    private static boolean isNull(Node node) {
        return node instanceof Node.Scalar scalar && scalar.kind() == Node.Kind.NULL;
    }

    /** A key of the same section, else one of the same name elsewhere. */
    private static String suggestion(String section, String name) {
        String prefix = section.isEmpty() ? "" : section + ".";
        List<String> siblings = new ArrayList<>();
        for (Key<?> key : Keys.ALL) {
            if (key.path().startsWith(prefix)) {
                String rest = key.path().substring(prefix.length());
                siblings.add(rest.indexOf('.') < 0 ? rest : rest.substring(0, rest.indexOf('.')));
            }
        }
        Optional<String> near =
                Suggestion.closest(name, siblings.stream().distinct().toList());
        return near.or(() -> Keys.ALL.stream()
                        .map(Key::path)
                        .filter(path -> path.endsWith("." + name))
                        .findFirst())
                .map(word -> "did you mean " + word + "?")
                .orElse("keys here are "
                        + String.join(", ", siblings.stream().distinct().toList()));
    }
}
