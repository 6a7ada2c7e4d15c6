package io.osmhub.core.resource;

import com.fasterxml.jackson.annotation.JsonEnumDefaultValue;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link WireEnum} by the names of its constants. Jackson's own leniency can only be configured per field or for a whole
 * mapper, not on the enum, and the mapper is the Kubernetes client's.
 */
final class WireEnumDeserializer extends JsonDeserializer<@Nullable Object> implements ContextualDeserializer {
    private final Map<String, Object> constants;
    private final @Nullable Object unknown;

    /** For Jackson, which creates the real one with {@link #createContextual}. */
    @SuppressWarnings("unused")
    WireEnumDeserializer() {
        this(Map.of(), null);
    }

    private WireEnumDeserializer(Map<String, Object> constants, @Nullable Object unknown) {
        this.constants = Map.copyOf(constants);
        this.unknown = unknown;
    }

    @Override
    public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
        Map<String, Object> constants = new HashMap<>();
        Object unknown = null;
        for (Object constant : context.getContextualType().getRawClass().getEnumConstants()) {
            Field field = fieldOf((Enum<?>) constant);
            constants.put(field.getAnnotation(JsonProperty.class).value(), constant);
            if (field.isAnnotationPresent(JsonEnumDefaultValue.class)) {
                unknown = constant;
            }
        }
        return new WireEnumDeserializer(constants, unknown);
    }

    private static Field fieldOf(Enum<?> constant) {
        try {
            return constant.getDeclaringClass().getField(constant.name());
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("an enum constant without a field", e);
        }
    }

    @Override
    public @Nullable Object deserialize(JsonParser parser, DeserializationContext context) throws IOException {
        Object constant = constants.get(parser.getText());
        return constant == null ? unknown : constant;
    }
}
