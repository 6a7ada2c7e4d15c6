package io.osmhub.deploy.config;

import io.osmhub.core.document.Node;
import io.osmhub.core.document.Position;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Levels by name of a logger; in a text as {@code io.osmhub.tenancy=debug,io.vertx=error}. */
record LevelsForm(Form.Scalar<String> level) implements Form.Structured<Map<String, String>> {
    @Override
    public String type() {
        return "map to words";
    }

    @Override
    public String values() {
        return level.values();
    }

    @Override
    public @Nullable Map<String, String> read(Node node, String key, Reporter mistakes) {
        if (!(node instanceof Node.Fields fields)) {
            mistakes.add(node.position(), key, "is " + node.describe() + ", not an object", "write {LOGGER: LEVEL}");
            return null;
        }
        Map<String, String> levels = new TreeMap<>();
        for (Node.Field field : fields.fields()) {
            String value = level.read(field.value(), key + "[" + field.name() + "]", mistakes);
            if (value != null) {
                levels.put(field.name(), value);
            }
        }
        return levels.size() == fields.fields().size() ? levels : null;
    }

    @Override
    public @Nullable Map<String, String> read(String text, String key, Reporter mistakes) {
        Map<String, String> levels = new TreeMap<>();
        boolean right = true;
        for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals <= 0) {
                mistakes.add(
                        Position.NONE,
                        key,
                        "\"" + part.strip() + "\" is not LOGGER=LEVEL",
                        "write for example io.vertx=error");
                right = false;
                continue;
            }
            String value = level.read(part.substring(equals + 1).strip(), key, mistakes);
            right &= value != null;
            if (value != null) {
                levels.put(part.substring(0, equals).strip(), value);
            }
        }
        return right ? levels : null;
    }

    @Override
    public String write(Map<String, String> value) {
        return new TreeMap<>(value)
                .entrySet().stream()
                        .map(entry -> Forms.writeText(entry.getKey()) + ": " + entry.getValue())
                        .collect(Collectors.joining(", ", "{", "}"));
    }

    @Override
    public boolean inText() {
        return true;
    }
}
