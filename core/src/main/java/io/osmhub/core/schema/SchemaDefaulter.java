package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Applies the API server's defaults to absent fields. */
public final class SchemaDefaulter {
    private SchemaDefaulter() {}

    /** A copy with defaults; parts that violate the schema are unchanged. */
    public static JsonNode applyDefaults(Schema schema, JsonNode value) {
        if (schema instanceof Schema.ObjectSchema structure && value.isObject()) {
            ObjectNode filled = ((ObjectNode) value).deepCopy();
            structure.fields().forEach((name, field) -> {
                JsonNode present = filled.get(name);
                JsonNode defaultValue = field.metadata().defaultValue();
                JsonNode used = present == null || present.isNull() ? defaultValue : present;
                if (used != null) {
                    filled.set(name, applyDefaults(field, used));
                }
            });
            return filled;
        }
        if (schema instanceof Schema.ArraySchema sequence && value.isArray()) {
            ArrayNode filled = ((ArrayNode) value).arrayNode();
            value.forEach(item -> filled.add(applyDefaults(sequence.items(), item)));
            return filled;
        }
        if (schema instanceof Schema.MapSchema dictionary && value.isObject()) {
            ObjectNode filled = ((ObjectNode) value).objectNode();
            value.properties()
                    .forEach(entry -> filled.set(entry.getKey(), applyDefaults(dictionary.values(), entry.getValue())));
            return filled;
        }
        return value;
    }
}
