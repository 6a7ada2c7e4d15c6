package io.osmhub.deploy.config;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourcePosition;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** Log levels by logger name; as text {@code io.osmhub.tenancy=debug,io.vertx=error}. */
record LogLevelsType(ValueType.ScalarValue<String> level) implements ValueType.StructuredValue<Map<String, String>> {
    @Override
    public String type() {
        return "map of strings";
    }

    @Override
    public String values() {
        return level.values();
    }

    @Override
    public @Nullable Map<String, String> read(DocumentNode node, String key, ErrorReporter mistakes) {
        if (!(node instanceof DocumentNode.Fields fields)) {
            mistakes.add(node.position(), key, "is " + node.describe() + ", not an object", "write {LOGGER: LEVEL}");
            return null;
        }
        Map<String, String> levels = new TreeMap<>();
        for (DocumentNode.Field field : fields.fields()) {
            String value = level.read(field.value(), key + "[" + field.name() + "]", mistakes);
            if (value != null) {
                levels.put(field.name(), value);
            }
        }
        return levels.size() == fields.fields().size() ? levels : null;
    }

    @Override
    public @Nullable Map<String, String> read(String text, String key, ErrorReporter mistakes) {
        Map<String, String> levels = new TreeMap<>();
        boolean right = true;
        for (String part : text.isBlank() ? new String[0] : text.split(",", -1)) {
            int equals = part.indexOf('=');
            if (equals <= 0) {
                mistakes.add(
                        SourcePosition.NONE,
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
                        .map(entry -> ValueTypes.writeText(entry.getKey()) + ": " + entry.getValue())
                        .collect(Collectors.joining(", ", "{", "}"));
    }

    @Override
    public boolean isTextual() {
        return true;
    }
}
