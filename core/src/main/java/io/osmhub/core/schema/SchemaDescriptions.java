package io.osmhub.core.schema;

import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Describes in words which values a schema accepts, for reference pages. */
public final class SchemaDescriptions {
    private SchemaDescriptions() {}

    /** The type, for example {@code text}, {@code duration}, {@code list of objects {registry, endpoints: [{url, overridePath}]}}. */
    public static String describeType(Schema schema) {
        return describe(schema, "");
    }

    /** @param plural {@code s} for several values, else empty */
    private static String describe(Schema schema, String plural) {
        return switch (schema) {
            case Schema.StringSchema text -> nameOf(text) + plural;
            case Schema.IntegerSchema number -> "whole number" + plural;
            case Schema.NumberSchema number -> "number" + plural;
            case Schema.BooleanSchema flag -> "true or false";
            case Schema.ArraySchema sequence -> "list" + plural + " of " + describe(sequence.items(), "s");
            case Schema.MapSchema dictionary -> "map" + plural + " to " + describe(dictionary.values(), "s");
            case Schema.ObjectSchema structure -> "object" + plural + " " + fields(structure);
            case Schema.FreeFormSchema freeForm -> (plural.isEmpty() ? "any object" : "objects");
            case Schema.ServerDefinedSchema defined -> "object" + plural;
        };
    }

    /** The allowed values, for example {@code 1 to 100}; empty if the type implies them. */
    public static String describeValues(Schema schema) {
        List<String> words = new ArrayList<>();
        collect(schema, words);
        return String.join("; ", words);
    }

    private static void collect(Schema schema, List<String> words) {
        switch (schema) {
            case Schema.StringSchema text -> {
                add(words, String.join(", ", text.choices()));
                add(words, text.form());
            }
            case Schema.IntegerSchema number -> add(words, range(number.minimum(), number.maximum()));
            case Schema.ArraySchema sequence -> {
                String count = range(sequence.minItems(), sequence.maxItems());
                add(words, count.isEmpty() ? "" : count + " items");
                // The schema describes the fields of a list's objects itself.
                if (!(sequence.items() instanceof Schema.ObjectSchema)) {
                    collect(sequence.items(), words);
                }
            }
            case Schema.MapSchema dictionary -> {
                add(
                        words,
                        dictionary.maxProperties() == null ? "" : "at most " + dictionary.maxProperties() + " entries");
                collect(dictionary.values(), words);
            }
            case Schema.NumberSchema number -> add(words, trim(number.minimum()) + " to " + trim(number.maximum()));
            case Schema.BooleanSchema flag -> {}
            case Schema.ObjectSchema structure -> {}
            case Schema.FreeFormSchema freeForm -> {}
            case Schema.ServerDefinedSchema defined -> {}
        }
        for (CelRule rule : schema.metadata().rules()) {
            if (!(rule instanceof DurationRules.IsDuration)) {
                add(words, rule.message().replaceFirst("^must be ", ""));
            }
        }
    }

    private static String nameOf(Schema.StringSchema text) {
        boolean duration = text.metadata().rules().stream().anyMatch(DurationRules.IsDuration.class::isInstance);
        return duration
                ? "duration"
                : text.format().isEmpty() || text.format().equals("date-time") ? "text" : text.format();
    }

    private static String trim(double number) {
        return BigDecimal.valueOf(number).stripTrailingZeros().toPlainString();
    }

    private static String fields(Schema.ObjectSchema structure) {
        List<String> fields = new ArrayList<>();
        structure
                .fields()
                .forEach((name, schema) -> fields.add(
                        schema instanceof Schema.ArraySchema list && list.items() instanceof Schema.ObjectSchema items
                                ? name + ": [" + fields(items) + "]"
                                : name));
        return "{" + String.join(", ", fields) + "}";
    }

    private static String range(@Nullable Number least, @Nullable Number most) {
        if (least == null) {
            return most == null ? "" : "at most " + most;
        }
        return most == null ? "at least " + least : least + " to " + most;
    }

    private static void add(List<String> words, String word) {
        if (!word.isEmpty()) {
            words.add(word);
        }
    }
}
