package io.osmhub.core.schema;

import com.fasterxml.jackson.databind.JsonNode;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * A structural schema of Kubernetes, limited to the forms that the hub's kinds and its configuration use. {@link
 * RecordSchemaReader} reads it from records, {@link ObjectValidator} validates with it, and the generator of the manifests
 * writes it. Null means no limit.
 */
public sealed interface Schema {
    SchemaMetadata metadata();

    /**
     * Metadata of any schema.
     *
     * @param description for {@code kubectl explain}; may be empty
     * @param defaultValue the API server's default for an absent field; null if none
     */
    record SchemaMetadata(String description, @Nullable JsonNode defaultValue, List<CelRule> rules) {
        public static final SchemaMetadata NONE = new SchemaMetadata("", null, List.of());

        public SchemaMetadata {
            rules = List.copyOf(rules);
        }
    }

    /**
     * A string.
     *
     * @param pattern regular expression searched for anywhere in the text; empty for any text
     * @param form the pattern in words; empty if not needed
     * @param format for example {@code date-time}, or the name of the value's type; empty if none
     * @param choices the only allowed values; empty for any
     */
    record StringSchema(
            SchemaMetadata metadata,
            @Nullable Integer minLength,
            @Nullable Integer maxLength,
            String pattern,
            String form,
            String format,
            List<String> choices)
            implements Schema {
        public StringSchema {
            choices = List.copyOf(choices);
        }
    }

    /** An integer of 32 or 64 bits. */
    record IntegerSchema(
            SchemaMetadata metadata,
            int bits,
            @Nullable Long minimum,
            @Nullable Long maximum) implements Schema {}

    /** A number with decimals. */
    record NumberSchema(SchemaMetadata metadata, double minimum, double maximum) implements Schema {}

    record BooleanSchema(SchemaMetadata metadata) implements Schema {}

    /** A list; {@code merging} determines how several writers share it. */
    record ArraySchema(
            SchemaMetadata metadata,
            Schema items,
            @Nullable Integer minItems,
            @Nullable Integer maxItems,
            ListType listType)
            implements Schema {}

    /** {@code x-kubernetes-list-type}: how server-side apply merges a list, and what must be unique in it. */
    sealed interface ListType {
        /** Not specified: the whole list is replaced. */
        record DefaultList() implements ListType {}

        /** The whole list is replaced, explicitly. */
        record AtomicList() implements ListType {}

        /** Items are unique. */
        record SetList() implements ListType {}

        /** Items are unique by their keys. */
        record MapList(List<String> keys) implements ListType {
            public MapList {
                keys = List.copyOf(keys);
            }
        }
    }

    /** An object with any keys and values of one schema. */
    record MapSchema(
            SchemaMetadata metadata,
            Schema values,
            @Nullable Integer maxProperties) implements Schema {}

    /**
     * An object with named fields, in declaration order.
     *
     * @param atomic whether server-side apply replaces it completely
     */
    record ObjectSchema(SchemaMetadata metadata, Map<String, Schema> fields, Set<String> required, boolean atomic)
            implements Schema {
        public ObjectSchema {
            fields = Collections.unmodifiableMap(new LinkedHashMap<>(fields));
            required = Set.copyOf(required);
        }
    }

    /** Any object, stored unchanged. */
    record FreeFormSchema(SchemaMetadata metadata) implements Schema {}

    /** {@code metadata}, for which the API server has its own schema. */
    record ServerDefinedSchema(SchemaMetadata metadata) implements Schema {}
}
