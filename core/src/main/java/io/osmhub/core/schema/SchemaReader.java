package io.osmhub.core.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.schema.Schema.Merging;
import io.osmhub.core.schema.Schema.Notes;
import java.lang.annotation.Annotation;
import java.lang.reflect.AnnotatedElement;
import java.lang.reflect.AnnotatedParameterizedType;
import java.lang.reflect.AnnotatedType;
import java.lang.reflect.Method;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Reads the schema of a record. A component is a field; it is required unless it is {@code @Nullable},
 * {@code @Defaulted} or {@code @ServerChecked}. Types say the rest: String, Boolean, Integer, Long, enum (its {@code @JsonProperty} names), List,
 * Map, record, and JsonNode for a free-form object. Annotations of this package on the type of the component, or on the
 * type argument of a list or map, add limits.
 */
public final class SchemaReader {
    private static final ObjectMapper JSON = new ObjectMapper();

    private static final List<Class<? extends Annotation>> OPTIONAL =
            List.of(Nullable.class, Defaulted.class, ServerChecked.class);

    private SchemaReader() {}

    /** Schema of a record, with {@code notes} of its own. */
    public static Schema.Structure structure(Class<? extends Record> type, String description) {
        return structure(type, new Notes(description, null, rules(type)));
    }

    private static Schema.Structure structure(Class<?> type, Notes notes) {
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
        return new Schema.Structure(notes, fields, required, type.isAnnotationPresent(Atomic.class));
    }

    private static Schema schema(AnnotatedType type) {
        Class<?> raw = rawClass(type.getType());
        Notes notes = notes(type, raw);
        if (raw == String.class) {
            Choices choices = directOrCarried(type, Choices.class);
            return text(type, notes, choices == null ? List.of() : List.of(choices.value()));
        }
        if (raw.isEnum()) {
            return text(type, notes, wireNames(raw));
        }
        if (raw == Boolean.class || raw == boolean.class) {
            return new Schema.Flag(notes);
        }
        if (raw == Integer.class || raw == int.class) {
            return number(type, notes, 32);
        }
        if (raw == Long.class || raw == long.class) {
            return number(type, notes, 64);
        }
        if (raw == List.class) {
            SizeLimits size = type.getAnnotation(SizeLimits.class);
            return new Schema.Sequence(
                    notes,
                    schema(argument(type, 0)),
                    size == null ? null : limit(size.min()),
                    size == null ? null : limit(size.max()),
                    merging(type));
        }
        if (raw == Map.class) {
            SizeLimits size = type.getAnnotation(SizeLimits.class);
            return new Schema.Dictionary(notes, schema(argument(type, 1)), size == null ? null : limit(size.max()));
        }
        if (raw == JsonNode.class) {
            return new Schema.FreeForm(notes);
        }
        if (raw.isRecord()) {
            return type.isAnnotationPresent(ServerChecked.class)
                    ? new Schema.ServerDefined(notes)
                    : structure(raw, notes);
        }
        throw new IllegalArgumentException("no schema for " + type);
    }

    private static Schema.Text text(AnnotatedType type, Notes notes, List<String> choices) {
        TextLimits limits = directOrCarried(type, TextLimits.class);
        return limits == null
                ? new Schema.Text(notes, null, null, "", "", "", choices)
                : new Schema.Text(
                        notes,
                        limit(limits.minLength()),
                        limit(limits.maxLength()),
                        limits.pattern(),
                        limits.form(),
                        limits.format(),
                        choices);
    }

    /** An annotation given directly, or carried by another one such as {@code @ObjectName}. */
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

    private static Schema.WholeNumber number(AnnotatedType type, Notes notes, int bits) {
        NumberLimits limits = type.getAnnotation(NumberLimits.class);
        return new Schema.WholeNumber(
                notes,
                bits,
                limits == null || limits.min() == Long.MIN_VALUE ? null : limits.min(),
                limits == null || limits.max() == Long.MAX_VALUE ? null : limits.max());
    }

    private static Merging merging(AnnotatedType type) {
        UniqueBy keys = type.getAnnotation(UniqueBy.class);
        if (keys != null) {
            return new Merging.ByKeys(List.of(keys.value()));
        }
        if (type.isAnnotationPresent(UniqueItems.class)) {
            return new Merging.AsSet();
        }
        return type.isAnnotationPresent(Atomic.class) ? new Merging.Atomic() : new Merging.Unsaid();
    }

    private static Notes notes(AnnotatedType type, Class<?> raw) {
        Described described = type.getAnnotation(Described.class);
        Defaulted defaulted = type.getAnnotation(Defaulted.class);
        List<CelRule> rules = new ArrayList<>(rules(type));
        if (raw.isRecord()) {
            rules.addAll(rules(raw));
        }
        return new Notes(
                described == null ? "" : described.value(), defaulted == null ? null : json(defaulted.value()), rules);
    }

    private static List<CelRule> rules(AnnotatedElement element) {
        List<CelRule> rules = new ArrayList<>();
        DurationBetween duration = element.getAnnotation(DurationBetween.class);
        if (duration != null) {
            rules.addAll(DurationRange.rules(duration.shortest(), duration.longest()));
        }
        for (Annotation annotation : element.getAnnotations()) {
            if (annotation.annotationType().isAnnotationPresent(NamesRules.class)) {
                rules.addAll(namedRules(annotation));
            }
        }
        return rules;
    }

    private static List<CelRule> namedRules(Annotation annotation) {
        try {
            Method value = annotation.annotationType().getMethod("value");
            // The annotation may be private to the package of its rules.
            value.setAccessible(true);
            return List.of((CelRule[]) value.invoke(annotation));
        } catch (ReflectiveOperationException e) {
            throw new IllegalArgumentException(annotation + " has no value() of rules", e);
        }
    }

    private static String wireName(RecordComponent component) {
        // Jackson's annotation has no RECORD_COMPONENT target; it is on the accessor.
        JsonProperty property = component.getAccessor().getAnnotation(JsonProperty.class);
        return property == null ? component.getName() : property.value();
    }

    private static List<String> wireNames(Class<?> enumType) {
        return Arrays.stream(enumType.getFields())
                .filter(constant -> constant.isEnumConstant() && constant.isAnnotationPresent(JsonProperty.class))
                .map(constant -> constant.getAnnotation(JsonProperty.class).value())
                .toList();
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

    private static JsonNode json(String text) {
        try {
            return JSON.readTree(text);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not JSON: " + text, e);
        }
    }
}
