package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.schema.Schema.ListType;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a schema as the {@code openAPIV3Schema} of a CustomResourceDefinition. */
public final class OpenApiSchemaWriter {
    private OpenApiSchemaWriter() {}

    public static ObjectNode write(Schema schema) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        switch (schema) {
            case Schema.StringSchema text -> {
                node.put("type", "string");
                describe(node, schema);
                put(node, "format", text.format());
                put(node, "minLength", text.minLength());
                put(node, "maxLength", text.maxLength());
                put(node, "pattern", text.pattern());
                put(node, "enum", text.choices());
            }
            case Schema.IntegerSchema number -> {
                node.put("type", "integer");
                node.put("format", "int" + number.bits());
                describe(node, schema);
                put(node, "minimum", number.minimum());
                put(node, "maximum", number.maximum());
            }
            case Schema.NumberSchema number -> {
                node.put("type", "number");
                describe(node, schema);
                node.put("minimum", number.minimum());
                node.put("maximum", number.maximum());
            }
            case Schema.BooleanSchema flag -> {
                node.put("type", "boolean");
                describe(node, flag);
            }
            case Schema.ArraySchema sequence -> {
                node.put("type", "array");
                describe(node, schema);
                put(node, "minItems", sequence.minItems());
                put(node, "maxItems", sequence.maxItems());
                merging(node, sequence.listType());
                node.set("items", write(sequence.items()));
            }
            case Schema.MapSchema dictionary -> {
                node.put("type", "object");
                describe(node, schema);
                put(node, "maxProperties", dictionary.maxProperties());
                node.set("additionalProperties", write(dictionary.values()));
            }
            case Schema.ObjectSchema structure -> {
                node.put("type", "object");
                describe(node, schema);
                if (structure.atomic()) {
                    node.put("x-kubernetes-map-type", "atomic");
                }
                // In the order of the fields, so that the file is reproducible.
                put(
                        node,
                        "required",
                        structure.fields().keySet().stream()
                                .filter(structure.required()::contains)
                                .toList());
                ObjectNode properties = node.putObject("properties");
                structure.fields().forEach((name, field) -> properties.set(name, write(field)));
            }
            case Schema.FreeFormSchema freeForm -> {
                node.put("type", "object");
                describe(node, freeForm);
                node.put("x-kubernetes-preserve-unknown-fields", true);
            }
            case Schema.ServerDefinedSchema defined -> {
                node.put("type", "object");
                describe(node, defined);
            }
        }
        return node;
    }

    private static void describe(ObjectNode node, Schema schema) {
        put(node, "description", schema.metadata().description());
        JsonNode defaultValue = schema.metadata().defaultValue();
        if (defaultValue != null) {
            node.set("default", defaultValue);
        }
        List<CelRule> written = schema.metadata().rules().stream()
                .filter(rule -> !rule.expression().isEmpty())
                .toList();
        if (written.isEmpty()) {
            return;
        }
        ArrayNode rules = node.putArray("x-kubernetes-validations");
        for (CelRule rule : written) {
            ObjectNode entry = rules.addObject();
            entry.put("rule", rule.expression());
            entry.put("message", rule.message());
            put(entry, "reason", rule.reason());
            put(entry, "fieldPath", rule.fieldPath());
        }
    }

    private static void merging(ObjectNode node, ListType merging) {
        switch (merging) {
            case ListType.DefaultList() -> {}
            case ListType.AtomicList() -> node.put("x-kubernetes-list-type", "atomic");
            case ListType.SetList() -> node.put("x-kubernetes-list-type", "set");
            case ListType.MapList(List<String> keys) -> {
                node.put("x-kubernetes-list-type", "map");
                put(node, "x-kubernetes-list-map-keys", keys);
            }
        }
    }

    private static void put(ObjectNode node, String key, String text) {
        if (!text.isEmpty()) {
            node.put(key, text);
        }
    }

    private static void put(ObjectNode node, String key, @Nullable Number number) {
        if (number != null) {
            node.put(key, number.longValue());
        }
    }

    private static void put(ObjectNode node, String key, List<String> texts) {
        if (!texts.isEmpty()) {
            texts.forEach(node.putArray(key)::add);
        }
    }
}
