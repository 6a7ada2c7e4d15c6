package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.schema.ObjectValidator.TextFormat;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Describes in words which values a schema accepts, for reference pages and messages. */
public final class SchemaDescriptions {
    /** The rule that marks a duration in a definition, which has no format for it. */
    private static final String DURATION_RULE = "self.matches('^([0-9]+(ms|s|m|h))+$')";

    /** The patterns of the definitions in words: Kubernetes permits no such keyword. */
    private static final Map<String, String> FORMS = Map.of(
            "^[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*$",
            "an object name: lower-case letters, digits, '-' and '.'",
            "^([a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*)?$",
            "an object name, or an empty text: lower-case letters, digits, '-' and '.'",
            "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$",
            "a namespace: lower-case letters, digits and '-'",
            "^[-._a-zA-Z0-9]+$",
            "a key: letters, digits, '-', '_' and '.'",
            "^([a-z0-9]([-a-z0-9.]{0,251}[a-z0-9])?/)?[A-Za-z0-9]([-A-Za-z0-9_.]{0,61}[A-Za-z0-9])?$",
            "a label key such as dedicated or example.org/dedicated",
            "^([A-Za-z0-9]([-A-Za-z0-9_.]*[A-Za-z0-9])?)?$",
            "a label value: letters, digits, '-', '_' and '.'",
            "^[^\\s\"\\\\]*$",
            "an image without blanks, quotes and backslashes",
            "^[^\\s,]+$",
            "one name or network, without blanks and commas",
            "^(\\*|_default|[A-Za-z0-9]([-A-Za-z0-9.]*[A-Za-z0-9])?(:[0-9]{1,5})?(/[A-Za-z0-9._/-]+)?"
                    + "|\\[[0-9A-Fa-f:]+\\](:[0-9]{1,5})?)$",
            "a registry without scheme: host, host:port, \"*\" or \"_default\"",
            "v(0|[1-9]\\d*)\\.(0|[1-9]\\d*)\\.(0|[1-9]\\d*)"
                    + "(?:-((?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*)(?:\\.(?:0|[1-9]\\d*|\\d*[a-zA-Z-][0-9a-zA-Z-]*))*))?"
                    + "(?:\\+([0-9a-zA-Z-]+(?:\\.[0-9a-zA-Z-]+)*))?$",
            "a semantic version with a leading v, for example v1.2.3");

    private SchemaDescriptions() {}

    /** The type, for example {@code text}, {@code duration}, {@code list of objects {registry, endpoints: [{url, overridePath}]}}. */
    public static String describeType(JsonNode schema) {
        return describe(schema, "");
    }

    /** @param plural {@code s} for several values, else empty */
    private static String describe(JsonNode schema, String plural) {
        return switch (schema.path("type").asText()) {
            case "string" -> nameOf(schema) + plural;
            case "integer" -> "whole number" + plural;
            case "number" -> "number" + plural;
            case "boolean" -> "true or false";
            case "array" -> "list" + plural + " of " + describe(schema.path("items"), "s");
            default ->
                schema.path("additionalProperties").isObject()
                        ? "map" + plural + " to " + describe(schema.get("additionalProperties"), "s")
                        : schema.path("properties").isObject()
                                ? "object" + plural + " " + fields(schema)
                                : plural.isEmpty() ? "any object" : "objects";
        };
    }

    /** The allowed values, for example {@code 1 to 100}; empty if the type implies them. */
    public static String describeValues(JsonNode schema, Map<String, TextFormat> formats) {
        List<String> words = new ArrayList<>();
        collect(schema, formats, words);
        return String.join("; ", words);
    }

    /** The pattern in words; empty if there are none. */
    static String form(JsonNode schema) {
        return schema.path("x-form")
                .asText(FORMS.getOrDefault(schema.path("pattern").asText(), ""));
    }

    private static void collect(JsonNode schema, Map<String, TextFormat> formats, List<String> words) {
        add(words, String.join(", ", ObjectValidator.texts(schema.path("enum"))));
        add(words, form(schema));
        add(words, range(schema, "minimum", "maximum"));
        String count = range(schema, "minItems", "maxItems");
        add(words, count.isEmpty() ? "" : count + " items");
        // The type describes the fields of a list's objects itself.
        if (!schema.path("items").has("properties")) {
            collectBelow(schema.path("items"), formats, words);
        }
        add(words, schema.has("maxProperties") ? "at most " + schema.get("maxProperties") + " entries" : "");
        collectBelow(schema.path("additionalProperties"), formats, words);
        TextFormat format = formats.get(schema.path("format").asText());
        // A pattern in words says more.
        if (format != null && form(schema).isEmpty()) {
            add(words, format.example() + (schema.path("x-or-empty").booleanValue() ? ", or empty" : ""));
        }
        if (schema.has("formatMinimum")) {
            String least = schema.get("formatMinimum").asText();
            add(
                    words,
                    "between " + least + " and " + schema.path("formatMaximum").asText());
        }
        for (JsonNode rule : schema.path("x-kubernetes-validations")) {
            if (!rule.path("rule").asText().equals(DURATION_RULE)) {
                add(words, rule.path("message").asText().replaceFirst("^must be ", ""));
            }
        }
    }

    private static void collectBelow(JsonNode schema, Map<String, TextFormat> formats, List<String> words) {
        if (schema.isObject()) {
            collect(schema, formats, words);
        }
    }

    private static String nameOf(JsonNode schema) {
        if (schema.path("x-kubernetes-validations").findValuesAsText("rule").contains(DURATION_RULE)) {
            return "duration";
        }
        String format = schema.path("format").asText();
        return format.isEmpty() || format.equals("date-time") ? "text" : format;
    }

    private static String fields(JsonNode schema) {
        List<String> fields = new ArrayList<>();
        schema.path("properties").properties().forEach(field -> {
            JsonNode items = field.getValue().path("items");
            fields.add(items.has("properties") ? field.getKey() + ": [" + fields(items) + "]" : field.getKey());
        });
        return "{" + String.join(", ", fields) + "}";
    }

    private static String range(JsonNode schema, String least, String most) {
        if (!schema.has(least)) {
            return schema.has(most) ? "at most " + number(schema.get(most)) : "";
        }
        return schema.has(most)
                ? number(schema.get(least)) + " to " + number(schema.get(most))
                : "at least " + number(schema.get(least));
    }

    private static String number(JsonNode limit) {
        return limit.decimalValue().stripTrailingZeros().toPlainString();
    }

    private static void add(List<String> words, String word) {
        if (!word.isEmpty()) {
            words.add(word);
        }
    }
}
