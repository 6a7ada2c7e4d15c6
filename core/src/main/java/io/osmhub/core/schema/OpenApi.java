package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.schema.Schema.Merging;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Writes a schema as {@code openAPIV3Schema} of a CustomResourceDefinition. */
public final class OpenApi {
    private OpenApi() {}

    public static ObjectNode write(Schema schema) {
        ObjectNode node = JsonNodeFactory.instance.objectNode();
        switch (schema) {
            case Schema.Text text -> {
                node.put("type", "string");
                describe(node, schema);
                put(node, "format", text.format());
                put(node, "minLength", text.minLength());
                put(node, "maxLength", text.maxLength());
                put(node, "pattern", text.pattern());
                put(node, "enum", text.choices());
            }
            case Schema.WholeNumber number -> {
                node.put("type", "integer");
                node.put("format", "int" + number.bits());
                describe(node, schema);
                put(node, "minimum", number.minimum());
                put(node, "maximum", number.maximum());
            }
            case Schema.Flag flag -> {
                node.put("type", "boolean");
                describe(node, flag);
            }
            case Schema.Sequence sequence -> {
                node.put("type", "array");
                describe(node, schema);
                put(node, "minItems", sequence.minItems());
                put(node, "maxItems", sequence.maxItems());
                merging(node, sequence.merging());
                node.set("items", write(sequence.items()));
            }
            case Schema.Dictionary dictionary -> {
                node.put("type", "object");
                describe(node, schema);
                put(node, "maxProperties", dictionary.maxProperties());
                node.set("additionalProperties", write(dictionary.values()));
            }
            case Schema.Structure structure -> {
                node.put("type", "object");
                describe(node, schema);
                if (structure.atomic()) {
                    node.put("x-kubernetes-map-type", "atomic");
                }
                // In the order of the fields, so that the file stays the same from build to build.
                put(
                        node,
                        "required",
                        structure.fields().keySet().stream()
                                .filter(structure.required()::contains)
                                .toList());
                ObjectNode properties = node.putObject("properties");
                structure.fields().forEach((name, field) -> properties.set(name, write(field)));
            }
            case Schema.FreeForm freeForm -> {
                node.put("type", "object");
                describe(node, freeForm);
                node.put("x-kubernetes-preserve-unknown-fields", true);
            }
            case Schema.ServerDefined defined -> {
                node.put("type", "object");
                describe(node, defined);
            }
        }
        return node;
    }

    private static void describe(ObjectNode node, Schema schema) {
        put(node, "description", schema.notes().description());
        JsonNode defaultValue = schema.notes().defaultValue();
        if (defaultValue != null) {
            node.set("default", defaultValue);
        }
        if (schema.notes().rules().isEmpty()) {
            return;
        }
        ArrayNode rules = node.putArray("x-kubernetes-validations");
        for (CelRule rule : schema.notes().rules()) {
            ObjectNode entry = rules.addObject();
            entry.put("rule", rule.expression());
            entry.put("message", rule.message());
            put(entry, "reason", rule.reason());
            put(entry, "fieldPath", rule.fieldPath());
        }
    }

    private static void merging(ObjectNode node, Merging merging) {
        switch (merging) {
            case Merging.Unsaid() -> {}
            case Merging.Atomic() -> node.put("x-kubernetes-list-type", "atomic");
            case Merging.AsSet() -> node.put("x-kubernetes-list-type", "set");
            case Merging.ByKeys(List<String> keys) -> {
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
