package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;

/** Applies the API server's defaults to absent fields. */
public final class SchemaDefaulter {
    private SchemaDefaulter() {}

    /** A copy with defaults; parts that violate the schema are unchanged. */
    public static JsonNode applyDefaults(Schema schema, JsonNode value) {
        return switch (schema) {
            case Schema.ObjectSchema structure
            when value.isObject() -> {
                ObjectNode filled = ((ObjectNode) value).deepCopy();
                structure.fields().forEach((name, field) -> {
                    JsonNode present = filled.get(name);
                    JsonNode defaultValue = field.metadata().defaultValue();
                    boolean absent = present == null || present.isNull();
                    if (!absent) {
                        filled.set(name, applyDefaults(field, present));
                    } else if (defaultValue != null) {
                        filled.set(name, applyDefaults(field, defaultValue));
                    }
                });
                yield filled;
            }
            case Schema.ArraySchema sequence
            when value.isArray() -> {
                ArrayNode filled = ((ArrayNode) value).arrayNode();
                value.forEach(item -> filled.add(applyDefaults(sequence.items(), item)));
                yield filled;
            }
            case Schema.MapSchema dictionary
            when value.isObject() -> {
                ObjectNode filled = ((ObjectNode) value).objectNode();
                value.properties()
                        .forEach(entry ->
                                filled.set(entry.getKey(), applyDefaults(dictionary.values(), entry.getValue())));
                yield filled;
            }
            case Schema.ObjectSchema s -> value;
            case Schema.ArraySchema s -> value;
            case Schema.MapSchema d -> value;
            case Schema.StringSchema t -> value;
            case Schema.IntegerSchema n -> value;
            case Schema.NumberSchema n -> value;
            case Schema.BooleanSchema f -> value;
            case Schema.FreeFormSchema f -> value;
            case Schema.ServerDefinedSchema d -> value;
        };
    }
}
