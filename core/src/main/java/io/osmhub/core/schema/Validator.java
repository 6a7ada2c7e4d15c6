package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import com.google.re2j.Pattern;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Suggestion;
import io.osmhub.core.schema.Schema.Merging;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Checks an object as the API server would with strict field validation, for use without one. Finds everything at once,
 * in the order of the object's fields.
 */
public final class Validator {
    private static final String OBJECT = "an object";
    private static final String LIST = "a list";

    private final String reason;
    private final String object;
    private final List<Finding> findings = new ArrayList<>();

    private Validator(String reason, String object) {
        this.reason = reason;
        this.object = object;
    }

    /**
     * What is wrong with an object; empty when nothing is.
     *
     * @param reason reason of each finding, for programs
     * @param object how messages call the object, for example {@code WorkerCluster blue}
     * @param before the object before an update; null when it is new
     */
    public static List<Finding> check(
            Schema schema, JsonNode value, @Nullable JsonNode before, String reason, String object) {
        Validator validator = new Validator(reason, object);
        validator.check(
                schema, Defaults.fill(schema, value), before == null ? null : Defaults.fill(schema, before), "");
        return List.copyOf(validator.findings);
    }

    private void check(Schema schema, JsonNode value, @Nullable JsonNode before, String path) {
        int known = findings.size();
        switch (schema) {
            case Schema.Text text -> text(text, value, path);
            case Schema.WholeNumber number -> number(number, value, path);
            case Schema.Flag flag -> hasType(value.isBoolean(), "true or false", value, path);
            case Schema.Sequence sequence -> sequence(sequence, value, path);
            case Schema.Dictionary dictionary -> dictionary(dictionary, value, path);
            case Schema.Structure structure -> structure(structure, value, before, path);
            // The API server takes a null for a free-form object and leaves the field out.
            case Schema.FreeForm freeForm -> hasType(value.isObject() || value.isNull(), OBJECT, value, path);
            case Schema.ServerDefined defined -> hasType(value.isObject(), OBJECT, value, path);
        }
        // A rule is about a value of the right shape: asked about another one, its answer would mislead.
        if (findings.size() > known) {
            return;
        }
        for (CelRule rule : schema.notes().rules()) {
            if (!rule.holds(value, before)) {
                String field = path + rule.fieldPath();
                find(path.isEmpty() && !field.isEmpty() ? field.substring(1) : field, rule.message(), "");
            }
        }
    }

    private void structure(Schema.Structure structure, JsonNode value, @Nullable JsonNode before, String path) {
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

    private static String cureOfUnknown(String name, Schema.Structure structure) {
        return Suggestion.closest(name, structure.fields().keySet())
                .map(known -> "did you mean \"" + known + "\"?")
                .orElseGet(() ->
                        "known here: " + String.join(", ", structure.fields().keySet()));
    }

    private void dictionary(Schema.Dictionary dictionary, JsonNode value, String path) {
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

    private void sequence(Schema.Sequence sequence, JsonNode value, String path) {
        if (!hasType(value.isArray(), LIST, value, path)) {
            return;
        }
        Integer min = sequence.minItems();
        Integer max = sequence.maxItems();
        if (min != null && value.size() < min) {
            find(path, "has " + value.size() + " items", "at least " + min + " must be there");
        }
        if (max != null && value.size() > max) {
            find(path, "has " + value.size() + " items", "at most " + max + " are allowed");
        }
        for (int i = 0; i < value.size(); i++) {
            check(sequence.items(), value.get(i), null, path + "[" + i + "]");
        }
        switch (sequence.merging()) {
            case Merging.Unsaid() -> {}
            case Merging.Atomic() -> {}
            case Merging.AsSet() -> unique(value, List.of(), path);
            case Merging.ByKeys(List<String> keys) -> unique(value, keys, path);
        }
    }

    /** No two items may be equal in {@code keys}; as a whole when there are none. */
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

    private void number(Schema.WholeNumber number, JsonNode value, String path) {
        if (!hasType(value.isIntegralNumber(), "a whole number", value, path)) {
            return;
        }
        Long min = number.minimum();
        Long max = number.maximum();
        boolean fits = number.bits() == 32 ? value.canConvertToInt() : value.canConvertToLong();
        if (!fits) {
            find(path, value + " is out of range", "a number of " + number.bits() + " bits is expected");
        } else if (min != null && value.longValue() < min) {
            find(path, value + " is too small", "the least is " + min);
        } else if (max != null && value.longValue() > max) {
            find(path, value + " is too large", "the most is " + max);
        }
    }

    private void text(Schema.Text text, JsonNode value, String path) {
        if (!hasType(value.isTextual(), "a text", value, path)) {
            return;
        }
        String content = value.textValue();
        int length = content.codePointCount(0, content.length());
        Integer min = text.minLength();
        Integer max = text.maxLength();
        if (!text.choices().isEmpty() && !text.choices().contains(content)) {
            String suggestion = Suggestion.closest(content, text.choices())
                    .map(choice -> "; did you mean \"" + choice + "\"?")
                    .orElse("");
            find(
                    path,
                    quote(content) + " is not supported",
                    "it must be one of " + String.join(", ", text.choices()) + suggestion);
        }
        if (min != null && length < min) {
            find(path, "has " + length + " characters", "at least " + min + " are needed");
        } else if (max != null && length > max) {
            find(path, "has " + length + " characters", "at most " + max + " are allowed");
        } else if (!text.pattern().isEmpty()
                && !Pattern.compile(text.pattern()).matcher(content).find()) {
            find(path, quote(content) + " has the wrong form", cureOfForm(text));
        } else if (text.format().equals("date-time") && !isDateTime(content)) {
            find(path, quote(content) + " is not a time", "write for example 2026-11-21T09:00:00Z");
        }
    }

    private static String cureOfForm(Schema.Text text) {
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
            find(path, "must be " + expected + ", not " + describe(value), "");
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
        return '"' + Message.clean(text) + '"';
    }

    private static String below(String path, String name) {
        if (name.chars().anyMatch(c -> c == '.' || c == '/' || c == '[')) {
            return path + "[" + name + "]";
        }
        return path.isEmpty() ? name : path + "." + name;
    }

    private void find(String field, String what, String cure) {
        findings.add(new Finding(reason, object, field, what, cure));
    }
}
