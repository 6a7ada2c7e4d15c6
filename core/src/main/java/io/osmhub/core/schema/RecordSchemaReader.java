package io.osmhub.core.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.schema.FieldAnnotations.AllowedValues;
import io.osmhub.core.schema.FieldAnnotations.Atomic;
import io.osmhub.core.schema.FieldAnnotations.CelRuleAnnotation;
import io.osmhub.core.schema.FieldAnnotations.DecimalLimits;
import io.osmhub.core.schema.FieldAnnotations.DefaultValue;
import io.osmhub.core.schema.FieldAnnotations.DurationLimits;
import io.osmhub.core.schema.FieldAnnotations.FieldDescription;
import io.osmhub.core.schema.FieldAnnotations.ListMapKeys;
import io.osmhub.core.schema.FieldAnnotations.NumberLimits;
import io.osmhub.core.schema.FieldAnnotations.ServerValidated;
import io.osmhub.core.schema.FieldAnnotations.SizeLimits;
import io.osmhub.core.schema.FieldAnnotations.TextLimits;
import io.osmhub.core.schema.FieldAnnotations.UniqueItems;
import io.osmhub.core.schema.Schema.ListType;
import io.osmhub.core.schema.Schema.SchemaMetadata;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schema of a record. A component is a field; it is required unless it is {@code @Nullable}, {@code @DefaultValue} or
 * {@code @ServerValidated}. Its type determines the rest: String, Boolean, Integer, Long, enum (its {@code @JsonProperty} names),
 * List, Map, record, JsonNode for a free-form object, Duration, Optional for a text that may be empty, and the given value types.
 * Annotations of this package on the type of the component, or on the type
 * argument of a list or map, add limits.
 */
public final class RecordSchemaReader {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<Class<? extends Annotation>> OPTIONAL =
            List.of(Nullable.class, DefaultValue.class, ServerValidated.class);

    private final Map<Class<?>, Schema> types;

    private RecordSchemaReader(Map<Class<?>, Schema> types) {
        this.types = types;
    }

    /** Schema of a record with its own description. */
    public static Schema.ObjectSchema readSchema(Class<? extends Record> type, String description) {
        return readSchema(type, description, Map.of());
    }

    /** Schema of a record that has components of other types, with the schemas of these. */
    public static Schema.ObjectSchema readSchema(
            Class<? extends Record> type, String description, Map<Class<?>, Schema> types) {
        return new RecordSchemaReader(types)
                .readSchema(type, new SchemaMetadata(description, null, rules(type, false)));
    }

    private Schema.ObjectSchema readSchema(Class<?> type, SchemaMetadata notes) {
        Map<String, Schema> fields = new LinkedHashMap<>();
        Set<String> required = new LinkedHashSet<>();
        for (RecordComponent component : type.getRecordComponents()) {
            AnnotatedType fieldType = component.getAnnotatedType();
            String name = wireName(component);
            fields.put(name, schema(fieldType));
            if (OPTIONAL.stream().noneMatch(fieldType::isAnnotationPresent)) {
                required.add(name);
            }
        }
        return new Schema.ObjectSchema(notes, fields, required, type.isAnnotationPresent(Atomic.class));
    }

    private Schema schema(AnnotatedType type) {
        Class<?> raw = rawClass(type.getType());
        SchemaMetadata notes = notes(type, raw);
        Schema own = types.get(raw);
        if (own != null) {
            return withMetadata(own, notes);
        }
        if (raw == Optional.class) {
            Schema value = schema(argument(type, 0));
            List<CelRule> rules = new ArrayList<>();
            value.metadata().rules().forEach(rule -> rules.add(new OrEmpty(rule)));
            return withMetadata(value, new SchemaMetadata("", null, rules), notes);
        }
        if (raw == String.class || raw == Duration.class) {
            AllowedValues choices = directOrCarried(type, AllowedValues.class);
            String format = raw == Duration.class ? "duration" : "";
            return text(type, notes, format, choices == null ? List.of() : List.of(choices.value()));
        }
        if (raw.isEnum()) {
            return text(type, notes, "", List.copyOf(constants(raw).keySet()));
        }
        if (raw == Boolean.class || raw == boolean.class) {
            return new Schema.BooleanSchema(notes);
        }
        if (raw == Integer.class || raw == int.class) {
            return number(type, notes, 32);
        }
        if (raw == Long.class || raw == long.class) {
            return number(type, notes, 64);
        }
        if (raw == double.class) {
            DecimalLimits limits = Objects.requireNonNull(type.getAnnotation(DecimalLimits.class));
            return new Schema.NumberSchema(notes, limits.min(), limits.max());
        }
        if (raw == List.class) {
            SizeLimits size = type.getAnnotation(SizeLimits.class);
            return new Schema.ArraySchema(
                    notes,
                    schema(argument(type, 0)),
                    size == null ? null : limit(size.min()),
                    size == null ? null : limit(size.max()),
                    merging(type));
        }
        if (raw == Map.class) {
            SizeLimits size = type.getAnnotation(SizeLimits.class);
            return new Schema.MapSchema(notes, schema(argument(type, 1)), size == null ? null : limit(size.max()));
        }
        if (raw == JsonNode.class) {
            return new Schema.FreeFormSchema(notes);
        }
        if (raw.isRecord()) {
            return type.isAnnotationPresent(ServerValidated.class)
                    ? new Schema.ServerDefinedSchema(notes)
                    : readSchema(raw, notes);
        }
        throw new IllegalArgumentException("no schema for " + type);
    }

    private static Schema withMetadata(Schema schema, SchemaMetadata notes) {
        return withMetadata(schema, schema.metadata(), notes);
    }

    /** A schema with a field's description and default, and the rules of its type and of the field. */
    private static Schema withMetadata(Schema schema, SchemaMetadata type, SchemaMetadata field) {
        List<CelRule> rules = new ArrayList<>(type.rules());
        rules.addAll(field.rules());
        SchemaMetadata notes = new SchemaMetadata(field.description(), field.defaultValue(), rules);
        return switch (schema) {
            case Schema.StringSchema text ->
                new Schema.StringSchema(
                        notes,
                        text.minLength(),
                        text.maxLength(),
                        text.pattern(),
                        text.form(),
                        text.format(),
                        text.choices());
            case Schema.ObjectSchema object ->
                new Schema.ObjectSchema(notes, object.fields(), object.required(), object.atomic());
            default -> throw new IllegalArgumentException("not a value type: " + schema);
        };
    }

    /** A rule of a text that may also be empty. */
    private record OrEmpty(CelRule rule) implements CelRule {
        @Override
        public String expression() {
            return "self == '' || " + rule.expression();
        }

        @Override
        public String message() {
            return rule.message() + ", or empty";
        }

        @Override
        public String describe(JsonNode self) {
            return rule.describe(self);
        }

        @Override
        public String cure(JsonNode self) {
            return rule.cure(self);
        }

        @Override
        public boolean holds(JsonNode self, @Nullable JsonNode oldSelf) {
            return self.textValue().isEmpty() || rule.holds(self, oldSelf);
        }
    }

    private static Schema.StringSchema text(
            AnnotatedType type, SchemaMetadata notes, String format, List<String> choices) {
        TextLimits limits = directOrCarried(type, TextLimits.class);
        return limits == null
                ? new Schema.StringSchema(notes, null, null, "", "", format, choices)
                : new Schema.StringSchema(
                        notes,
                        limit(limits.minLength()),
                        limit(limits.maxLength()),
                        limits.pattern(),
                        limits.form(),
                        limits.format(),
                        choices);
    }

    /** An annotation that is present directly, or on another annotation such as {@code @ObjectName}. */
    private static <A extends Annotation> @Nullable A directOrCarried(AnnotatedType type, Class<A> wanted) {
        A direct = type.getAnnotation(wanted);
        if (direct != null) {
            return direct;
        }
        for (Annotation annotation : type.getAnnotations()) {
            A carried = annotation.annotationType().getAnnotation(wanted);
            if (carried != null) {
                return carried;
            }
        }
        return null;
    }

    private static Schema.IntegerSchema number(AnnotatedType type, SchemaMetadata notes, int bits) {
        NumberLimits limits = type.getAnnotation(NumberLimits.class);
        return new Schema.IntegerSchema(
                notes,
                bits,
                limits == null || limits.min() == Long.MIN_VALUE ? null : limits.min(),
                limits == null || limits.max() == Long.MAX_VALUE ? null : limits.max());
    }

    private static ListType merging(AnnotatedType type) {
        ListMapKeys keys = type.getAnnotation(ListMapKeys.class);
        if (keys != null) {
            return new ListType.MapList(List.of(keys.value()));
        }
        if (type.isAnnotationPresent(UniqueItems.class)) {
            return new ListType.SetList();
        }
        return type.isAnnotationPresent(Atomic.class) ? new ListType.AtomicList() : new ListType.DefaultList();
    }

    private SchemaMetadata notes(AnnotatedType type, Class<?> raw) {
        FieldDescription described = type.getAnnotation(FieldDescription.class);
        DefaultValue defaulted = type.getAnnotation(DefaultValue.class);
        List<CelRule> rules = new ArrayList<>(rules(type, raw == Duration.class));
        if (raw.isRecord()) {
            rules.addAll(rules(raw, false));
        }
        return new SchemaMetadata(
                described == null ? "" : described.value(),
                defaulted == null ? null : defaultValue(raw, defaulted.value()),
                rules);
    }

    private static List<CelRule> rules(AnnotatedElement element, boolean days) {
        List<CelRule> rules = new ArrayList<>();
        DurationLimits duration = element.getAnnotation(DurationLimits.class);
        if (duration != null) {
            rules.addAll(DurationRules.rules(duration.shortest(), duration.longest(), days));
        }
        for (Annotation annotation : element.getAnnotations()) {
            if (annotation.annotationType().isAnnotationPresent(CelRuleAnnotation.class)) {
                rules.addAll(namedRules(annotation));
            }
        }
        return rules;
    }

    private static List<CelRule> namedRules(Annotation annotation) {
        try {
            Method value = annotation.annotationType().getMethod("value");
            // The annotation may be package-private.
            value.setAccessible(true);
            return List.of((CelRule[]) value.invoke(annotation));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(annotation + " has no value() of rules", e);
        }
    }

    /** The name of an enum's constant in documents. */
    public static String wireName(Enum<?> constant) {
        return constants(constant.getDeclaringClass()).entrySet().stream()
                .filter(entry -> entry.getValue() == constant)
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    /** The constants of an enum by their names in documents, in order. */
    public static Map<String, Object> constants(Class<?> enumType) {
        Map<String, Object> constants = new LinkedHashMap<>();
        for (Object constant : enumType.getEnumConstants()) {
            Arrays.stream(enumType.getFields())
                    .filter(field -> field.getName().equals(((Enum<?>) constant).name()))
                    .map(field -> field.getAnnotation(JsonProperty.class))
                    .filter(Objects::nonNull)
                    .forEach(name -> constants.put(name.value(), constant));
        }
        return constants;
    }

    private static String wireName(RecordComponent component) {
        // Jackson's annotation has no RECORD_COMPONENT target; it is on the accessor.
        JsonProperty property = component.getAccessor().getAnnotation(JsonProperty.class);
        return property == null ? component.getName() : property.value();
    }

    private static AnnotatedType argument(AnnotatedType type, int index) {
        return ((AnnotatedParameterizedType) type).getAnnotatedActualTypeArguments()[index];
    }

    private static Class<?> rawClass(Type type) {
        return switch (type) {
            case Class<?> plain -> plain;
            case ParameterizedType parameterized -> (Class<?>) parameterized.getRawType();
            default -> throw new IllegalArgumentException("no schema for " + type);
        };
    }

    private static @Nullable Integer limit(int value) {
        return value < 0 ? null : value;
    }

    private JsonNode defaultValue(Class<?> raw, String value) {
        boolean text = raw == String.class
                || raw == Duration.class
                || raw == Optional.class
                || raw.isEnum()
                || types.get(raw) instanceof Schema.StringSchema;
        return text ? TextNode.valueOf(value) : json(value);
    }

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + text, e);
        }
    }
}
