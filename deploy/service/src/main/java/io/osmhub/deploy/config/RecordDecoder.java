package io.osmhub.deploy.config;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.schema.CelRule;
import io.osmhub.core.schema.DurationFormat;
import io.osmhub.core.schema.RecordSchemaReader;
import io.osmhub.core.schema.Schema;
import io.osmhub.core.schema.Schema.SchemaMetadata;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Decodes valid JSON with its defaults to a record whose schema {@link RecordSchemaReader} reads. The names of its components are
 * those of the fields.
 */
final class RecordDecoder {
    /** A Java type with a custom form in documents. */
    record ValueType<T>(Class<T> type, Schema schema, Function<JsonNode, T> decode) {
        /**
         * A type that is written as text.
         *
         * @param name with its article, for example {@code an address}; the value is quoted before it in messages
         * @param example how to write one, also in the reference
         * @param parse returns null if the text is invalid
         */
        static <T> ValueType<T> ofText(
                Class<T> type,
                String name,
                String example,
                Function<String, @Nullable T> parse,
                Function<String, String> cure) {
            return new ValueType<>(
                    type,
                    new Schema.StringSchema(
                            new SchemaMetadata("", null, List.of(new IsParsed(name, example, parse, cure))),
                            null,
                            null,
                            "",
                            "",
                            name.substring(name.indexOf(' ') + 1),
                            List.of()),
                    node -> {
                        T value = parse.apply(node.asText());
                        if (value == null) {
                            throw new IllegalArgumentException("not " + name);
                        }
                        return value;
                    });
        }
    }

    private record IsParsed(
            String name,
            String example,
            Function<String, ? extends @Nullable Object> parse,
            Function<String, String> fix)
            implements CelRule {
        @Override
        public String expression() {
            return "";
        }

        @Override
        public String message() {
            return example;
        }

        @Override
        public String describe(JsonNode self) {
            String text = self.textValue();
            // The text before an @ may be a password.
            String quoted = text.indexOf('@') < 0 ? '"' + MessageFormatter.quote(text) + "\" " : "";
            return quoted + "is not " + name;
        }

        @Override
        public String cure(JsonNode self) {
            return fix.apply(self.textValue());
        }

        @Override
        public boolean holds(JsonNode self, @Nullable JsonNode oldSelf) {
            return parse.apply(self.textValue()) != null;
        }
    }

    private final List<ValueType<?>> types;

    RecordDecoder(List<ValueType<?>> types) {
        this.types = List.copyOf(types);
    }

    <T extends Record> T decode(Class<T> type, JsonNode node) {
        return type.cast(record(type, node));
    }

    private Object record(Class<?> type, JsonNode node) {
        RecordComponent[] components = type.getRecordComponents();
        Class<?>[] parameters = new Class<?>[components.length];
        Object[] arguments = new Object[components.length];
        for (int i = 0; i < components.length; i++) {
            parameters[i] = components[i].getType();
            JsonNode value = node.get(components[i].getName());
            if (value == null) {
                throw new IllegalArgumentException(
                        type.getSimpleName() + "." + components[i].getName() + " is missing");
            }
            arguments[i] = value(components[i].getGenericType(), value);
        }
        try {
            return type.getDeclaredConstructor(parameters).newInstance(arguments);
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("cannot create a " + type.getSimpleName(), e);
        }
    }

    private Object value(Type type, JsonNode node) {
        Class<?> raw = type instanceof ParameterizedType generic ? (Class<?>) generic.getRawType() : (Class<?>) type;
        ValueType<?> own =
                types.stream().filter(each -> each.type() == raw).findFirst().orElse(null);
        if (own != null) {
            return own.decode().apply(node);
        } else if (raw == Optional.class) {
            return node.asText().isEmpty() ? Optional.empty() : Optional.of(value(argument(type, 0), node));
        } else if (raw == List.class) {
            List<Object> items = new ArrayList<>();
            node.forEach(item -> items.add(value(argument(type, 0), item)));
            return List.copyOf(items);
        } else if (raw == Map.class) {
            Map<String, Object> entries = new LinkedHashMap<>();
            node.properties().forEach(entry -> entries.put(entry.getKey(), value(argument(type, 1), entry.getValue())));
            return entries;
        } else if (raw.isRecord()) {
            return record(raw, node);
        }
        return scalar(raw, node);
    }

    private static Object scalar(Class<?> type, JsonNode node) {
        if (type == String.class) {
            return node.textValue();
        } else if (type == Duration.class) {
            return DurationFormat.parseOrThrow(node.textValue());
        } else if (type.isEnum()) {
            Object constant = RecordSchemaReader.constants(type).get(node.textValue());
            if (constant != null) {
                return constant;
            }
        } else if (type == boolean.class) {
            return node.booleanValue();
        } else if (type == int.class) {
            return node.intValue();
        } else if (type == long.class) {
            return node.longValue();
        } else if (type == double.class) {
            return node.doubleValue();
        }
        throw new IllegalArgumentException("cannot decode a " + type.getSimpleName());
    }

    private static Type argument(Type type, int index) {
        return ((ParameterizedType) type).getActualTypeArguments()[index];
    }
}
