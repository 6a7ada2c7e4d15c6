package io.osmhub.core.resource;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationConfig;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.EnumDeserializer;
import com.fasterxml.jackson.databind.introspect.AnnotatedClass;
import com.fasterxml.jackson.databind.util.EnumResolver;
import org.jspecify.annotations.Nullable;

/**
 * Reads a {@link WireEnum} leniently, which Jackson can only configure per field or for a whole mapper, not on the enum; and the
 * mapper is the Kubernetes client's.
 */
final class WireEnumDeserializer extends JsonDeserializer<Object> implements ContextualDeserializer {
    @Override
    public JsonDeserializer<?> createContextual(DeserializationContext context, @Nullable BeanProperty property) {
        DeserializationConfig config = context.getConfig();
        AnnotatedClass type = config.introspect(context.getContextualType()).getClassInfo();
        return new EnumDeserializer(EnumResolver.constructFor(config, type), false, null, null)
                .withResolved(false, true, true);
    }

    @Override
    public Object deserialize(JsonParser parser, DeserializationContext context) {
        throw new IllegalStateException("only the contextual one reads");
    }
}
