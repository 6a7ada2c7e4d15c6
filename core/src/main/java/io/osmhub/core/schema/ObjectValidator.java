package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.schema.Schema.ListType;
import io.osmhub.core.template.SpellingSuggestion;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Validates an object as the API server would with strict field validation, for use without one. Finds all mistakes at once, in the
 * order of the object's fields.
 */
public final class ObjectValidator {
    private static final String OBJECT = "an object";
    private static final String LIST = "a list";
    private static final String TEXT = "a text";
    /** Compiled patterns of schemas. */
    private static final Map<String, Pattern> PATTERNS = new ConcurrentHashMap<>();

    private final String reason;
    private final String object;
    private final List<ProblemFinding> findings = new ArrayList<>();

    private ObjectValidator(String reason, String object) {
        this.reason = reason;
        this.object = object;
    }

    /**
     * Returns the mistakes of an object.
     *
     * @param reason reason of each finding
     * @param object its name in messages, for example {@code WorkerCluster blue}
     * @param before the object before an update; null if it is new
     */
    public static List<ProblemFinding> check(
            Schema schema, JsonNode value, @Nullable JsonNode before, String reason, String object) {
        ObjectValidator validator = new ObjectValidator(reason, object);
        validator.check(
                schema,
                SchemaDefaulter.applyDefaults(schema, value),
                before == null ? null : SchemaDefaulter.applyDefaults(schema, before),
                "");
        return List.copyOf(validator.findings);
    }

    private void check(Schema schema, JsonNode value, @Nullable JsonNode before, String path) {
        int known = findings.size();
        switch (schema) {
            case Schema.StringSchema text -> text(text, value, path);
            case Schema.IntegerSchema number -> number(number, value, path);
            case Schema.NumberSchema number -> decimal(number, value, path);
            case Schema.BooleanSchema flag -> hasType(value.isBoolean(), "true or false", value, path);
            case Schema.ArraySchema sequence -> sequence(sequence, value, path);
            case Schema.MapSchema dictionary -> dictionary(dictionary, value, path);
            case Schema.ObjectSchema structure -> structure(structure, value, before, path);
            // The API server accepts a null for a free-form object and leaves the field out.
            case Schema.FreeFormSchema freeForm -> hasType(value.isObject() || value.isNull(), OBJECT, value, path);
            case Schema.ServerDefinedSchema defined -> hasType(value.isObject(), OBJECT, value, path);
        }
        // A rule is evaluated only for a value of the right type; otherwise its message would mislead.
        if (findings.size() > known) {
            return;
        }
        for (CelRule rule : schema.metadata().rules()) {
            if (!rule.holds(value, before)) {
                String field = path + rule.fieldPath();
                find(
                        path.isEmpty() && !field.isEmpty() ? field.substring(1) : field,
                        rule.describe(value),
                        rule.cure(value));
            }
        }
    }

    private void structure(Schema.ObjectSchema structure, JsonNode value, @Nullable JsonNode before, String path) {
        if (value.isTextual() && structure.required().size() == 1) {
            find(
                    path,
                    "must be " + OBJECT + ", not a text",
                    "write {" + structure.required().iterator().next() + ": ...}");
            return;
        }
        if (!hasType(value.isObject(), OBJECT, value, path)) {
            return;
        }
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            String name = entry.getKey();
            Schema field = structure.fields().get(name);
            if (field == null) {
                find(below(path, name), "unknown field", cureOfUnknown(name, structure));
            } else {
                check(field, entry.getValue(), before == null ? null : before.get(name), below(path, name));
            }
        }
        for (String name : structure.fields().keySet()) {
            if (structure.required().contains(name) && !value.has(name)) {
                find(below(path, name), "missing", "it is required");
            }
        }
    }

    private static String cureOfUnknown(String name, Schema.ObjectSchema structure) {
        return SpellingSuggestion.findClosest(name, structure.fields().keySet())
                .map(known -> "did you mean \"" + known + "\"?")
                .orElseGet(() ->
                        "known fields: " + String.join(", ", structure.fields().keySet()));
    }

    private void dictionary(Schema.MapSchema dictionary, JsonNode value, String path) {
        if (!hasType(value.isObject(), OBJECT, value, path)) {
            return;
        }
        Integer max = dictionary.maxProperties();
        if (max != null && value.size() > max) {
            find(path, "has " + value.size() + " entries", "at most " + max + " are allowed");
        }
        for (Map.Entry<String, JsonNode> entry : value.properties()) {
            check(dictionary.values(), entry.getValue(), null, below(path, entry.getKey()));
        }
    }

    private void sequence(Schema.ArraySchema sequence, JsonNode value, String path) {
        if (!hasType(value.isArray(), LIST, value, path)) {
            return;
        }
        Integer min = sequence.minItems();
        Integer max = sequence.maxItems();
        if (min != null && value.size() < min) {
            find(path, "has " + value.size() + " items", "at least " + min + " are required");
        }
        if (max != null && value.size() > max) {
            find(path, "has " + value.size() + " items", "at most " + max + " are allowed");
        }
        for (int i = 0; i < value.size(); i++) {
            check(sequence.items(), value.get(i), null, path + "[" + i + "]");
        }
        switch (sequence.listType()) {
            case ListType.DefaultList() -> {}
            case ListType.AtomicList() -> {}
            case ListType.SetList() -> unique(value, List.of(), path);
            case ListType.MapList(List<String> keys) -> unique(value, keys, path);
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

    private void number(Schema.IntegerSchema number, JsonNode value, String path) {
        if (!hasType(value.isIntegralNumber(), "a whole number", value, path)) {
            return;
        }
        Long min = number.minimum();
        Long max = number.maximum();
        boolean fits = number.bits() == 32 ? value.canConvertToInt() : value.canConvertToLong();
        if (!fits) {
            find(path, value + " is out of range", "a number of " + number.bits() + " bits is expected");
        } else if (min != null && value.longValue() < min) {
            find(path, value + " is too small", "the minimum is " + min);
        } else if (max != null && value.longValue() > max) {
            find(path, value + " is too large", "the maximum is " + max);
        }
    }

    private void decimal(Schema.NumberSchema number, JsonNode value, String path) {
        if (hasType(value.isNumber(), "a number", value, path)
                && (value.doubleValue() < number.minimum() || value.doubleValue() > number.maximum())) {
            find(path, value.asText() + " is out of range", "use " + SchemaDescriptions.describeValues(number));
        }
    }

    private void text(Schema.StringSchema text, JsonNode value, String path) {
        if (!hasType(value.isTextual(), TEXT, value, path)) {
            return;
        }
        String content = value.textValue();
        int length = content.codePointCount(0, content.length());
        Integer min = text.minLength();
        Integer max = text.maxLength();
        if (!text.choices().isEmpty() && !text.choices().contains(content)) {
            String suggestion = SpellingSuggestion.findClosest(content, text.choices())
                    .map(choice -> "; did you mean \"" + choice + "\"?")
                    .orElse("");
            find(
                    path,
                    quote(content) + " is not supported",
                    "it must be one of " + String.join(", ", text.choices()) + suggestion);
        }
        if (min != null && length < min) {
            find(path, "has " + length + " characters", "at least " + min + " are required");
        } else if (max != null && length > max) {
            find(path, "has " + length + " characters", "at most " + max + " are allowed");
        } else if (!text.pattern().isEmpty()
                && !PATTERNS.computeIfAbsent(text.pattern(), Pattern::compile)
                        .matcher(content)
                        .find()) {
            find(path, quote(content) + " has the wrong format", cureOfForm(text));
        } else if (text.format().equals("date-time") && !isDateTime(content)) {
            find(path, quote(content) + " is not a valid time", "write for example 2026-11-21T09:00:00Z");
        }
    }

    private static String cureOfForm(Schema.StringSchema text) {
        return text.form().isEmpty() ? "it must match " + text.pattern() : "expected " + text.form();
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
        if (!right && value.isTextual() && (expected.equals(OBJECT) || expected.equals(LIST))) {
            // It may be a whole document, or a URL with a password.
            find(path, "must be " + expected + ", not a text", "");
        } else if (!right) {
            boolean quoted = value.isTextual() && value.textValue().matches("true|false|-?[0-9]+");
            boolean unquoted = expected.equals(TEXT) && (value.isNumber() || value.isBoolean());
            find(
                    path,
                    "must be " + expected + ", not " + describe(value),
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

    private static String below(String path, String name) {
        if (name.chars().anyMatch(c -> c == '.' || c == '/' || c == '[')) {
            return path + "[" + name + "]";
        }
        return path.isEmpty() ? name : path + "." + name;
    }

    private void find(String field, String what, String cure) {
        findings.add(new ProblemFinding(reason, object, field, what, cure));
    }
}
