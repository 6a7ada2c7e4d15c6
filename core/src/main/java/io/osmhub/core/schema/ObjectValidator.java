package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.template.SpellingSuggestion;
import java.time.Duration;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Validates an object with the schema of its CustomResourceDefinition, as the API server would with strict field validation, for use
 * without one. Finds all mistakes at once, in the order of the object's fields.
 *
 * <p>Beyond a definition's keywords, a schema of a file may have: formats of its own, {@code x-or-empty} for a format that an empty
 * text satisfies, {@code formatMinimum} and {@code formatMaximum} of a duration, and {@code x-form}, the pattern in words.
 */
public final class ObjectValidator {
    private static final String OBJECT = "an object";
    private static final String LIST = "a list";
    private static final String TEXT = "a text";

    /**
     * A format of texts.
     *
     * @param name with its article, for example {@code an address}; the value is quoted before it in messages
     * @param example how to write one, also in the reference
     * @param fix how to correct an invalid text
     */
    public record TextFormat(String name, String example, Predicate<String> isValid, UnaryOperator<String> fix) {}

    private final Reason reason;
    private final ProblemObject object;
    private final Map<String, TextFormat> formats;
    private final List<Problem> findings = new ArrayList<>();

    private ObjectValidator(Reason reason, ProblemObject object, Map<String, TextFormat> formats) {
        this.reason = reason;
        this.object = object;
        this.formats = formats;
    }

    /**
     * Returns the mistakes of an object.
     *
     * @param formats of texts, in addition to those of Kubernetes, by their names in the schema
     * @param before the object before an update; null if it is new
     * @param reason reason of each finding
     * @param object its name in messages, for example {@code WorkerCluster blue}
     */
    public static List<Problem> check(
            JsonNode schema,
            Map<String, TextFormat> formats,
            JsonNode value,
            @Nullable JsonNode before,
            Reason reason,
            ProblemObject object) {
        ObjectValidator validator = new ObjectValidator(reason, object, formats);
        validator.check(schema, withDefaults(schema, value), before == null ? null : withDefaults(schema, before), "");
        return List.copyOf(validator.findings);
    }

    /** A copy with the defaults of absent fields; parts that violate the schema are unchanged. */
    public static JsonNode withDefaults(JsonNode schema, JsonNode value) {
        if (value instanceof ArrayNode items) {
            ArrayNode filled = items.arrayNode();
            items.forEach(item -> filled.add(withDefaults(schema.path("items"), item)));
            return filled;
        }
        if (!(value instanceof ObjectNode fields)) {
            return value;
        }
        ObjectNode filled = fields.deepCopy();
        if (schema.path("additionalProperties").isObject()) {
            fields.properties()
                    .forEach(entry -> filled.set(
                            entry.getKey(), withDefaults(schema.get("additionalProperties"), entry.getValue())));
        }
        schema.path("properties").properties().forEach(field -> {
            JsonNode given = filled.path(field.getKey());
            JsonNode used =
                    given.isMissingNode() || given.isNull() ? field.getValue().path("default") : given;
            if (!used.isMissingNode()) {
                filled.set(field.getKey(), withDefaults(field.getValue(), used));
            }
        });
        return filled;
    }

    private void check(JsonNode schema, JsonNode value, @Nullable JsonNode before, String path) {
        int known = findings.size();
        switch (schema.path("type").asText()) {
            case "string" -> text(schema, value, path);
            case "integer", "number" ->
                number(schema, value, schema.path("type").asText().equals("integer"), path);
            case "boolean" -> hasType(value.isBoolean(), "true or false", value, path);
            case "array" -> array(schema, value, path);
            default -> object(schema, value, before, path);
        }
        // A rule is evaluated only for a value of the right type; otherwise its message would mislead.
        if (findings.size() > known) {
            return;
        }
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            if (!CelExpression.holds(rule.path("rule").asText(), value, before)) {
                String field = path + rule.path("fieldPath").asText();
                find(
                        path.isEmpty() && !field.isEmpty() ? field.substring(1) : field,
                        rule.path("message").asText(),
                        "");
            }
        }
    }

    private void object(JsonNode schema, JsonNode value, @Nullable JsonNode before, String path) {
        JsonNode properties = schema.path("properties");
        List<String> required = texts(schema.path("required"));
        // The API server accepts a null for a free-form object and leaves the field out.
        if (value.isNull()
                && schema.path("x-kubernetes-preserve-unknown-fields").booleanValue()) {
            return;
        }
        if (value.isTextual() && required.size() == 1) {
            find(path, "must be " + OBJECT + ", not a text", "write {" + required.getFirst() + ": ...}");
            return;
        }
        if (!hasType(value.isObject(), OBJECT, value, path)) {
            return;
        }
        checkCount(schema, value.size(), "Properties", "entries", path);
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            String name = entry.getKey();
            JsonNode field = properties.isObject() ? properties.get(name) : schema.get("additionalProperties");
            if (field != null) {
                check(field, entry.getValue(), before == null ? null : before.get(name), below(path, name));
            } else if (properties.isObject()) {
                find(below(path, name), "unknown field", cureOfUnknown(name, properties));
            }
        }
        for (String name : required) {
            if (!value.has(name)) {
                find(below(path, name), "missing", "it is required");
            }
        }
    }

    private static String cureOfUnknown(String name, JsonNode properties) {
        Set<String> known = new LinkedHashSet<>();
        properties.fieldNames().forEachRemaining(known::add);
        return SpellingSuggestion.findClosest(name, known)
                .map(near -> "did you mean \"" + near + "\"?")
                .orElseGet(() -> "known fields: " + String.join(", ", known));
    }

    private void array(JsonNode schema, JsonNode value, String path) {
        if (!hasType(value.isArray(), LIST, value, path)) {
            return;
        }
        checkCount(schema, value.size(), "Items", "items", path);
        for (int i = 0; i < value.size(); i++) {
            check(schema.path("items"), value.get(i), null, path + "[" + i + "]");
        }
        String listType = schema.path("x-kubernetes-list-type").asText();
        if (listType.equals("set") || listType.equals("map")) {
            unique(value, texts(schema.path("x-kubernetes-list-map-keys")), path);
        }
    }

    /** Items must be unique by {@code keys}; as a whole without keys. */
    private void unique(JsonNode items, List<String> keys, String path) {
        Map<Object, Integer> seen = new HashMap<>();
        for (int i = 0; i < items.size(); i++) {
            JsonNode item = items.get(i);
            Object identity =
                    keys.isEmpty() ? item : keys.stream().map(item::path).toList();
            Integer first = seen.putIfAbsent(identity, i);
            if (first != null) {
                String same = keys.isEmpty() ? "" : " in " + String.join(" and ", keys);
                find(path + "[" + i + "]", "duplicate of item " + first + same, "remove one of them");
            }
        }
    }

    /** Checks the limits of a keyword such as {@code maxItems}. */
    private boolean checkCount(JsonNode schema, int count, String keyword, String counted, String path) {
        int min = schema.path("min" + keyword).asInt(0);
        int max = schema.path("max" + keyword).asInt(Integer.MAX_VALUE);
        if (count < min || count > max) {
            String limit = count < min ? "at least " + min + " are required" : "at most " + max + " are allowed";
            find(path, "has " + count + " " + counted, limit);
        }
        return count >= min && count <= max;
    }

    private void number(JsonNode schema, JsonNode value, boolean whole, String path) {
        boolean rightType = whole ? value.isIntegralNumber() : value.isNumber();
        if (!hasType(rightType, whole ? "a whole number" : "a number", value, path)) {
            return;
        }
        boolean isShort = schema.path("format").asText().equals("int32");
        double number = value.doubleValue();
        if (whole && !(isShort ? value.canConvertToInt() : value.canConvertToLong())) {
            find(path, value + " is out of range", "a number of " + (isShort ? 32 : 64) + " bits is expected");
        } else if (number < schema.path("minimum").asDouble(number)
                || number > schema.path("maximum").asDouble(number)) {
            String allowed = SchemaDescriptions.describeValues(schema, formats);
            find(path, value.asText() + " is out of range", "use " + allowed);
        }
    }

    private void text(JsonNode schema, JsonNode value, String path) {
        if (!hasType(value.isTextual(), TEXT, value, path)) {
            return;
        }
        String content = value.textValue();
        List<String> choices = texts(schema.path("enum"));
        if (!choices.isEmpty() && !choices.contains(content)) {
            String suggestion = SpellingSuggestion.findClosest(content, choices)
                    .map(choice -> "; did you mean \"" + choice + "\"?")
                    .orElse("");
            String allowed = "it must be one of " + String.join(", ", choices) + suggestion;
            find(path, quote(content) + " is not supported", allowed);
        }
        String pattern = schema.path("pattern").asText();
        if (!checkCount(schema, content.codePointCount(0, content.length()), "Length", "characters", path)) {
            return;
        }
        if (!pattern.isEmpty() && !CelExpression.matches(content, pattern)) {
            String form = SchemaDescriptions.form(schema);
            String expected = form.isEmpty() ? "it must match " + pattern : "expected " + form;
            find(path, quote(content) + " has the wrong format", expected);
        } else {
            format(schema, content, path);
        }
    }

    private void format(JsonNode schema, String content, String path) {
        String format = schema.path("format").asText();
        TextFormat own = formats.get(format);
        boolean isOff = content.isEmpty() && schema.path("x-or-empty").booleanValue();
        if (own != null && !isOff && !own.isValid().test(content)) {
            // The text before an @ may be a password.
            String quoted = content.indexOf('@') < 0 ? quote(content) + " " : "";
            find(path, quoted + "is not " + own.name(), own.fix().apply(content));
        } else if (format.equals("date-time") && !isDateTime(content)) {
            find(path, quote(content) + " is not a valid time", "write for example 2026-11-21T09:00:00Z");
        } else if (format.equals("duration")) {
            Duration duration = DurationFormat.parseWithDays(content);
            if (duration == null) {
                find(path, "must be a duration such as 30s, 10m or 1h30m", "");
            } else if (duration.compareTo(limit(schema, "formatMinimum", duration)) < 0
                    || duration.compareTo(limit(schema, "formatMaximum", duration)) > 0) {
                find(path, "must be " + SchemaDescriptions.describeValues(schema, formats), "");
            }
        }
    }

    private static Duration limit(JsonNode schema, String keyword, Duration otherwise) {
        return schema.has(keyword)
                ? DurationFormat.parseOrThrow(schema.get(keyword).textValue())
                : otherwise;
    }

    private static boolean isDateTime(String content) {
        try {
            OffsetDateTime.parse(content);
            return true;
        } catch (DateTimeParseException notATime) {
            return false;
        }
    }

    private boolean hasType(boolean right, String expected, JsonNode value, String path) {
        if (!right) {
            // A text in place of an object may be a whole document, or a URL with a password.
            boolean isHidden = value.isTextual() && (expected.equals(OBJECT) || expected.equals(LIST));
            boolean quoted = !isHidden && value.isTextual() && value.textValue().matches("true|false|-?[0-9]+");
            boolean unquoted = expected.equals(TEXT) && (value.isNumber() || value.isBoolean());
            find(
                    path,
                    "must be " + expected + ", not " + (isHidden ? "a text" : describe(value)),
                    quoted ? "write it without quotes" : unquoted ? "put it in quotes" : "");
        }
        return right;
    }

    private static String describe(JsonNode value) {
        return switch (value.getNodeType()) {
            case OBJECT, POJO -> "an object";
            case ARRAY -> "a list";
            case STRING, BINARY -> "the text " + quote(value.asText());
            case NULL, MISSING -> "null";
            case NUMBER, BOOLEAN -> value.asText();
        };
    }

    private static String quote(String text) {
        return '"' + MessageFormatter.quote(text) + '"';
    }

    static List<String> texts(JsonNode list) {
        return list.valueStream().map(JsonNode::asText).toList();
    }

    private static String below(String path, String name) {
        if (name.chars().anyMatch(c -> c == '.' || c == '/' || c == '[')) {
            return path + "[" + name + "]";
        }
        return path.isEmpty() ? name : path + "." + name;
    }

    private void find(String field, String what, String cure) {
        findings.add(new Problem(reason, object, field, what, cure));
    }
}
