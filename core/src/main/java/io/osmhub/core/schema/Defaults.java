package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Fills in what the API server would store for absent fields. */
final class Defaults {
    private Defaults() {}

    /** A copy with defaults; parts that do not fit the schema stay as they are. */
    static JsonNode fill(Schema schema, JsonNode value) {
        return switch (schema) {
            case Schema.Structure structure
            when value.isObject() -> {
                ObjectNode filled = ((ObjectNode) value).deepCopy();
                structure.fields().forEach((name, field) -> {
                    JsonNode present = filled.get(name);
                    JsonNode defaultValue = field.notes().defaultValue();
                    boolean absent = present == null || present.isNull();
                    if (!absent) {
                        filled.set(name, fill(field, present));
                    } else if (defaultValue != null) {
                        filled.set(name, fill(field, defaultValue));
                    }
                });
                yield filled;
            }
            case Schema.Sequence sequence
            when value.isArray() -> {
                ArrayNode filled = ((ArrayNode) value).arrayNode();
                value.forEach(item -> filled.add(fill(sequence.items(), item)));
                yield filled;
            }
            case Schema.Dictionary dictionary
            when value.isObject() -> {
                ObjectNode filled = ((ObjectNode) value).objectNode();
                value.properties()
                        .forEach(entry -> filled.set(entry.getKey(), fill(dictionary.values(), entry.getValue())));
                yield filled;
            }
            case Schema.Structure s -> value;
            case Schema.Sequence s -> value;
            case Schema.Dictionary d -> value;
            case Schema.Text t -> value;
            case Schema.WholeNumber n -> value;
            case Schema.Flag f -> value;
            case Schema.FreeForm f -> value;
            case Schema.ServerDefined d -> value;
        };
    }
}
