package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A structural schema of Kubernetes, in the forms that our kinds use. {@link SchemaReader} makes it from records,
 * {@link OpenApi} writes it, {@link Validator} checks with it. Null in a limit means that there is none.
 */
public sealed interface Schema {
    Notes notes();

    /**
     * What every schema may carry.
     *
     * @param description for {@code kubectl explain}; empty when there is none
     * @param defaultValue what the API server fills in for an absent field; null when it leaves it absent
     */
    record Notes(String description, @Nullable JsonNode defaultValue, List<CelRule> rules) {
        public static final Notes NONE = new Notes("", null, List.of());

        public Notes {
            rules = List.copyOf(rules);
        }
    }

    /**
     * A string.
     *
     * @param pattern regular expression searched for anywhere in the text; empty when any text will do
     * @param form the pattern in words; empty when it speaks for itself
     * @param format for example {@code date-time}; empty when it has none
     * @param choices the only values allowed; empty when all are
     */
    record Text(
            Notes notes,
            @Nullable Integer minLength,
            @Nullable Integer maxLength,
            String pattern,
            String form,
            String format,
            List<String> choices)
            implements Schema {
        public Text {
            choices = List.copyOf(choices);
        }
    }

    /** A whole number of 32 or 64 bits. */
    record WholeNumber(
            Notes notes,
            int bits,
            @Nullable Long minimum,
            @Nullable Long maximum) implements Schema {}

    /** True or false. */
    record Flag(Notes notes) implements Schema {}

    /** A list; {@code merging} says how two writers share it. */
    record Sequence(
            Notes notes,
            Schema items,
            @Nullable Integer minItems,
            @Nullable Integer maxItems,
            Merging merging) implements Schema {}

    /** {@code x-kubernetes-list-type}: how server-side apply merges a list, and what must be unique in it. */
    sealed interface Merging {
        /** Nothing said: the whole list is replaced. */
        record Unsaid() implements Merging {}

        /** The whole list is replaced, said explicitly. */
        record Atomic() implements Merging {}

        /** Equal items may not come twice. */
        record AsSet() implements Merging {}

        /** Items with equal keys may not come twice. */
        record ByKeys(List<String> keys) implements Merging {
            public ByKeys {
                keys = List.copyOf(keys);
            }
        }
    }

    /** An object with any keys, all values alike. */
    record Dictionary(Notes notes, Schema values, @Nullable Integer maxProperties) implements Schema {}

    /**
     * An object with named fields, in the order of their declaration.
     *
     * @param atomic whether server-side apply replaces it whole
     */
    record Structure(Notes notes, Map<String, Schema> fields, Set<String> required, boolean atomic) implements Schema {
        public Structure {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
            required = Set.copyOf(required);
        }
    }

    /** Any object, kept as it is. */
    record FreeForm(Notes notes) implements Schema {}

    /** {@code metadata}: the API server has its own schema for it. */
    record ServerDefined(Notes notes) implements Schema {}
}
