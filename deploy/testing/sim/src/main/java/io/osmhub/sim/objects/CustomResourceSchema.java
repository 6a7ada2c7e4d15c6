package io.osmhub.sim.objects;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.sim.objects.ApiError.Cause;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** The openAPIV3Schema of one version of a custom kind: pruning, defaults and validation, without CEL rules and formats. */
public final class CustomResourceSchema {
    private static final Set<String> OF_EVERY_OBJECT = Set.of("kind", "apiVersion", "metadata");

    private final JsonNode root;
    private final ListMergeKeys lists;

    public CustomResourceSchema(JsonNode root) {
        this.root = root;
        this.lists = ListMergeKeys.of(root);
    }

    /** How its lists are merged. */
    public ListMergeKeys lists() {
        return lists;
    }

    /** Removes unknown fields and adds defaults of absent ones. Does not change the metadata. */
    public void pruneAndDefault(ObjectNode object) {
        pruneAndDefault(object, root, true);
    }

    private void pruneAndDefault(JsonNode value, JsonNode schema, boolean top) {
        if (value instanceof ObjectNode object) {
            dropNulls(object, schema);
            addDefaults(object, schema);
            boolean keepsAll =
                    schema.path("x-kubernetes-preserve-unknown-fields").asBoolean();
            JsonNode properties = schema.path("properties");
            JsonNode additional = schema.path("additionalProperties");
            boolean whole = schema.path("x-kubernetes-embedded-resource").asBoolean();
            List<String> stray = new ArrayList<>();
            for (Map.Entry<String, JsonNode> field : object.properties()) {
                boolean ofEveryObject = OF_EVERY_OBJECT.contains(field.getKey());
                if (top && ofEveryObject) {
                    // The server owns these, even if the schema has them; callers keep references to the metadata.
                    continue;
                }
                if (properties.has(field.getKey())) {
                    pruneAndDefault(field.getValue(), properties.get(field.getKey()), false);
                } else if (additional.isObject()) {
                    pruneAndDefault(field.getValue(), additional, false);
                } else if (!keepsAll && !additional.asBoolean() && !(whole && ofEveryObject)) {
                    stray.add(field.getKey());
                }
            }
            object.remove(stray);
        } else if (value.isArray()) {
            value.forEach(element -> pruneAndDefault(element, schema.path("items"), false));
        }
    }

    private static void dropNulls(ObjectNode object, JsonNode schema) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            if (object.path(property.getKey()).isNull()
                    && !property.getValue().path("nullable").asBoolean()) {
                object.remove(property.getKey());
            }
        }
    }

    private static void addDefaults(ObjectNode object, JsonNode schema) {
        for (Map.Entry<String, JsonNode> property : schema.path("properties").properties()) {
            JsonNode standard = property.getValue().get("default");
            JsonNode given = object.path(property.getKey());
            boolean replaceable =
                    given.isNull() && !property.getValue().path("nullable").asBoolean();
            if (standard != null && (given.isMissingNode() || replaceable)) {
                object.set(property.getKey(), standard.deepCopy());
            }
        }
    }

    public List<Cause> check(ObjectNode object) {
        List<Cause> causes = new ArrayList<>();
        check("", object, root, causes);
        return causes;
    }

    /** Server-side apply's message for the first field that is unknown or of another type; empty if there is none. */
    public String findTypeError(ObjectNode object) {
        return findTypeError("", object, root, true);
    }

    private static String findTypeError(String path, JsonNode value, JsonNode schema, boolean top) {
        String type = JsonTrees.text(schema, "type");
        if (value.isNull()
                || schema.path("x-kubernetes-preserve-unknown-fields").asBoolean()) {
            return "";
        }
        if (!type.isEmpty() && !isOf(type, value)) {
            String wanted = type.equals("object") ? "map" : type.equals("array") ? "list" : type;
            return "%s: expected %s, got &value.valueUnstructured{Value:%s}".formatted(path, wanted, value);
        }
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            JsonNode property = schema.path("properties").path(field.getKey());
            JsonNode inner = property.isMissingNode() ? schema.path("additionalProperties") : property;
            boolean own = top && OF_EVERY_OBJECT.contains(field.getKey());
            if (!own && inner.isMissingNode()) {
                return "%s.%s: field not declared in schema".formatted(path, field.getKey());
            }
            String mistake = own ? "" : findTypeError(path + "." + field.getKey(), field.getValue(), inner, false);
            if (!mistake.isEmpty()) {
                return mistake;
            }
        }
        return "";
    }

    private static void check(String path, JsonNode value, JsonNode schema, List<Cause> causes) {
        if (value.isNull() && schema.path("nullable").asBoolean()) {
            return;
        }
        String type = JsonTrees.text(schema, "type");
        boolean either = schema.path("x-kubernetes-int-or-string").asBoolean();
        if (!either && !type.isEmpty() && !isOf(type, value)) {
            causes.add(invalid(
                    path,
                    "FieldValueTypeInvalid",
                    "Invalid value: \"%s\": %s in body must be of type %s: \"%s\""
                            .formatted(nameOf(value), path, type, nameOf(value))));
            return;
        }
        checkValue(path, value, schema, causes);
        if (value.isObject()) {
            checkFields(path, value, schema, causes);
        } else if (value.isArray()) {
            for (int i = 0; i < value.size(); i++) {
                check("%s[%d]".formatted(path, i), value.get(i), schema.path("items"), causes);
            }
            bound(path, "items", value.size(), schema, "minItems", "maxItems", causes);
        }
    }

    private static void checkFields(String path, JsonNode value, JsonNode schema, List<Cause> causes) {
        for (String required : JsonTrees.texts(schema.path("required"))) {
            if (!value.has(required)) {
                causes.add(new Cause(join(path, required), "FieldValueRequired", "Required value"));
            }
        }
        JsonNode additional = schema.path("additionalProperties");
        for (Map.Entry<String, JsonNode> field : value.properties()) {
            JsonNode property = schema.path("properties").path(field.getKey());
            if (!(path.isEmpty() && field.getKey().equals("metadata"))) {
                check(
                        join(path, field.getKey()),
                        field.getValue(),
                        property.isMissingNode() ? additional : property,
                        causes);
            }
        }
        bound(path, "properties", value.size(), schema, "minProperties", "maxProperties", causes);
    }

    private static void checkValue(String path, JsonNode value, JsonNode schema, List<Cause> causes) {
        JsonNode allowed = schema.path("enum");
        if (allowed.isArray() && !contains(allowed, value)) {
            List<String> quoted = new ArrayList<>();
            allowed.forEach(each -> quoted.add(each.toString()));
            causes.add(invalid(
                    path,
                    "FieldValueNotSupported",
                    "Unsupported value: %s: supported values: %s".formatted(value, String.join(", ", quoted))));
        }
        String pattern = JsonTrees.text(schema, "pattern");
        if (value.isTextual()
                && !pattern.isEmpty()
                && !Pattern.compile(pattern).matcher(value.textValue()).find()) {
            causes.add(invalid(
                    path,
                    "FieldValueInvalid",
                    "Invalid value: %s: %s in body should match '%s'".formatted(value, path, pattern)));
        }
        if (value.isTextual()) {
            bound(
                    path,
                    "chars long",
                    value.textValue().codePointCount(0, value.textValue().length()),
                    schema,
                    "minLength",
                    "maxLength",
                    causes);
        }
        if (value.isNumber()) {
            if (schema.has("minimum")
                    && value.asDouble() < schema.path("minimum").asDouble()) {
                causes.add(invalid(
                        path,
                        "FieldValueInvalid",
                        "Invalid value: %s: %s in body should be greater than or equal to %s"
                                .formatted(value, path, schema.path("minimum"))));
            }
            if (schema.has("maximum")
                    && value.asDouble() > schema.path("maximum").asDouble()) {
                causes.add(invalid(
                        path,
                        "FieldValueInvalid",
                        "Invalid value: %s: %s in body should be less than or equal to %s"
                                .formatted(value, path, schema.path("maximum"))));
            }
        }
    }

    private static void bound(
            String path, String what, int size, JsonNode schema, String min, String max, List<Cause> causes) {
        if (schema.has(max) && size > schema.path(max).asInt()) {
            causes.add(invalid(
                    path,
                    "FieldValueTooLong",
                    "Too long: must have at most %d %s"
                            .formatted(schema.path(max).asInt(), what)));
        }
        if (schema.has(min) && size < schema.path(min).asInt()) {
            causes.add(invalid(
                    path,
                    "FieldValueInvalid",
                    "Invalid value: %s in body should have at least %d %s"
                            .formatted(path, schema.path(min).asInt(), what)));
        }
    }

    private static boolean contains(JsonNode allowed, JsonNode value) {
        for (JsonNode each : allowed) {
            if (each.equals(value)) {
                return true;
            }
        }
        return false;
    }

    private static boolean isOf(String type, JsonNode value) {
        return switch (type) {
            case "object" -> value.isObject();
            case "array" -> value.isArray();
            case "string" -> value.isTextual();
            case "boolean" -> value.isBoolean();
            case "integer" -> value.isIntegralNumber();
            case "number" -> value.isNumber();
            default -> true;
        };
    }

    private static String nameOf(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, POJO -> "object";
            case ARRAY -> "array";
            case STRING, BINARY -> "string";
            case BOOLEAN -> "boolean";
            case NUMBER -> value.isIntegralNumber() ? "integer" : "number";
            case NULL, MISSING -> "null";
        };
    }

    private static String join(String path, String field) {
        return path.isEmpty() ? field : path + "." + field;
    }

    private static Cause invalid(String field, String reason, String message) {
        return new Cause(field.isEmpty() ? "<nil>" : field, reason, message);
    }
}
