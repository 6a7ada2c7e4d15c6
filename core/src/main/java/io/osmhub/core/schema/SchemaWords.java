package io.osmhub.core.schema;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Says in words what a schema takes, for reference pages. */
public final class SchemaWords {
    private SchemaWords() {}

    /** The type, for example {@code text}, {@code duration}, {@code list of objects {registry, endpoints: [{url, overridePath}]}}. */
    public static String type(Schema schema) {
        return switch (schema) {
            case Schema.Text text -> isDuration(text) ? "duration" : "text";
            case Schema.WholeNumber number -> "whole number";
            case Schema.Flag flag -> "true or false";
            case Schema.Sequence sequence -> "list of " + plural(sequence.items());
            case Schema.Dictionary dictionary -> "map to " + plural(dictionary.values());
            case Schema.Structure structure -> "object " + fields(structure);
            case Schema.FreeForm freeForm -> "any object";
            case Schema.ServerDefined defined -> "object";
        };
    }

    private static String plural(Schema schema) {
        return switch (schema) {
            case Schema.Text text -> isDuration(text) ? "durations" : "texts";
            case Schema.WholeNumber number -> "whole numbers";
            case Schema.Flag flag -> "true or false";
            case Schema.Structure structure -> "objects " + fields(structure);
            case Schema.Sequence sequence -> "lists of " + plural(sequence.items());
            case Schema.Dictionary dictionary -> "maps to " + plural(dictionary.values());
            case Schema.FreeForm freeForm -> "objects";
            case Schema.ServerDefined defined -> "objects";
        };
    }

    /** What values are allowed, for example {@code 1 to 100}; empty when the type says it all. */
    public static String values(Schema schema) {
        List<String> words = new ArrayList<>();
        collect(schema, words);
        return String.join("; ", words);
    }

    private static void collect(Schema schema, List<String> words) {
        switch (schema) {
            case Schema.Text text -> {
                add(words, String.join(", ", text.choices()));
                add(words, text.form());
            }
            case Schema.WholeNumber number -> add(words, range(number.minimum(), number.maximum()));
            case Schema.Sequence sequence -> {
                String count = range(sequence.minItems(), sequence.maxItems());
                add(words, count.isEmpty() ? "" : count + " items");
                // What an object of the list takes is said by its own description in the schema.
                if (!(sequence.items() instanceof Schema.Structure)) {
                    collect(sequence.items(), words);
                }
            }
            case Schema.Dictionary dictionary -> {
                add(
                        words,
                        dictionary.maxProperties() == null ? "" : "at most " + dictionary.maxProperties() + " entries");
                collect(dictionary.values(), words);
            }
            case Schema.Flag flag -> {}
            case Schema.Structure structure -> {}
            case Schema.FreeForm freeForm -> {}
            case Schema.ServerDefined defined -> {}
        }
        for (CelRule rule : schema.notes().rules()) {
            if (!(rule instanceof DurationRange.IsDuration)) {
                add(words, rule.message().replaceFirst("^must be ", ""));
            }
        }
    }

    private static boolean isDuration(Schema.Text text) {
        return text.notes().rules().stream().anyMatch(DurationRange.IsDuration.class::isInstance);
    }

    private static String fields(Schema.Structure structure) {
        List<String> fields = new ArrayList<>();
        structure
                .fields()
                .forEach((name, schema) -> fields.add(
                        schema instanceof Schema.Sequence list && list.items() instanceof Schema.Structure items
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
