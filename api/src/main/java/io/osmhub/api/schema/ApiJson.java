package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonSetter;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.annotation.Nulls;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.databind.AnnotationIntrospector;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonSerializer;
import com.fasterxml.jackson.databind.KeyDeserializer;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializerProvider;
import com.fasterxml.jackson.databind.introspect.Annotated;
import com.fasterxml.jackson.databind.introspect.AnnotatedParameter;
import com.fasterxml.jackson.databind.introspect.JacksonAnnotationIntrospector;
import com.fasterxml.jackson.databind.introspect.NopAnnotationIntrospector;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Category;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.io.IOException;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.temporal.ChronoUnit;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Converts records of the contract to and from JSON. Absent values are omitted, times are RFC 3339 in UTC, enums use the contract's
 * names. Unknown fields are ignored: the server validates requests against the contract first, and clients must accept newer servers.
 * A missing or null field that is not {@code @Nullable} is an error.
 */
public final class ApiJson {
    private static final ObjectMapper SERVER = mapper(new SensitiveWriter(false));
    private static final ObjectMapper CLIENT = mapper(new SensitiveWriter(true));

    private ApiJson() {}

    /** For the server: reads credentials of requests and refuses to write them. */
    public static ObjectMapper server() {
        return SERVER;
    }

    /** For clients, which send the user's credentials. */
    public static ObjectMapper client() {
        return CLIENT;
    }

    /** The contract's name of a constant. */
    public static String word(Enum<?> constant) {
        try {
            // Short commands print words without loading Jackson's writers.
            JsonProperty name =
                    constant.getDeclaringClass().getField(constant.name()).getAnnotation(JsonProperty.class);
            return name != null ? name.value() : SERVER.convertValue(constant, String.class);
        } catch (NoSuchFieldException e) {
            throw new IllegalStateException("an enum constant without a field", e);
        }
    }

    /** The constant with that name in the contract; empty if unknown. */
    public static <E extends Enum<E>> Optional<E> constant(Class<E> type, String word) {
        for (E constant : type.getEnumConstants()) {
            if (word(constant).equals(word)) {
                return Optional.of(constant);
            }
        }
        return Optional.empty();
    }

    private static ObjectMapper mapper(JsonSerializer<Sensitive> sensitive) {
        SimpleModule values = new SimpleModule("values")
                .addSerializer(Instant.class, new TimeWriter())
                .addDeserializer(Instant.class, new TimeReader())
                .addSerializer(Sensitive.class, sensitive)
                .addDeserializer(Sensitive.class, new SensitiveReader())
                .addKeyDeserializer(State.class, new WordReader<>(State.class))
                .addKeyDeserializer(NewNodes.class, new WordReader<>(NewNodes.class));
        return JsonMapper.builder()
                .addModule(values)
                .addMixIn(Severity.class, WireNameMixIn.class)
                .addMixIn(Actor.class, WireNameMixIn.class)
                .addMixIn(Category.class, WireNameMixIn.class)
                .addMixIn(TemplateLanguage.class, WireNameMixIn.class)
                .defaultPropertyInclusion(
                        JsonInclude.Value.construct(JsonInclude.Include.NON_NULL, JsonInclude.Include.ALWAYS))
                .annotationIntrospector(AnnotationIntrospector.pair(
                        new RequiredFieldIntrospector(), new JacksonAnnotationIntrospector()))
                .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
                .build();
    }

    /** Rejects null for the components of this package's records that are not {@code @Nullable}. */
    private static final class RequiredFieldIntrospector extends NopAnnotationIntrospector {
        private static final long serialVersionUID = 1;

        @Override
        public JsonSetter.Value findSetterInfo(Annotated annotated) {
            return annotated instanceof AnnotatedParameter parameter && isRequired(parameter)
                    ? JsonSetter.Value.forValueNulls(Nulls.FAIL)
                    : JsonSetter.Value.empty();
        }

        private static boolean isRequired(AnnotatedParameter parameter) {
            Class<?> type = parameter.getDeclaringClass();
            return type.isRecord()
                    && type.getPackage() == ApiJson.class.getPackage()
                    && !parameter.getRawType().isPrimitive()
                    && !type.getRecordComponents()[parameter.getIndex()]
                            .getAnnotatedType()
                            .isAnnotationPresent(Nullable.class);
        }
    }

    /** Enums of core have a wire name but do not depend on Jackson. The method must have the same name. */
    private interface WireNameMixIn {
        @JsonValue
        String wireName();
    }

    private static final class TimeWriter extends JsonSerializer<Instant> {
        @Override
        public void serialize(Instant time, JsonGenerator json, SerializerProvider provider) throws IOException {
            json.writeString(time.truncatedTo(ChronoUnit.MILLIS).toString());
        }
    }

    private static final class TimeReader extends JsonDeserializer<Instant> {
        @Override
        public Instant deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            try {
                return OffsetDateTime.parse(parser.getText()).toInstant();
            } catch (DateTimeException e) {
                return (Instant)
                        context.handleWeirdStringValue(Instant.class, parser.getText(), "not an RFC 3339 time");
            }
        }
    }

    /** Reads the keys of counts by state. */
    private static final class WordReader<E extends Enum<E>> extends KeyDeserializer {
        private final Class<E> type;

        WordReader(Class<E> type) {
            this.type = type;
        }

        @Override
        public Object deserializeKey(String word, DeserializationContext context) throws IOException {
            Optional<E> constant = constant(type, word);
            return constant.isPresent()
                    ? constant.get()
                    : context.handleWeirdKey(type, word, "not one of the contract's words");
        }
    }

    private static final class SensitiveReader extends JsonDeserializer<Sensitive> {
        @Override
        public Sensitive deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return new Sensitive(parser.getText());
        }
    }

    private static final class SensitiveWriter extends JsonSerializer<Sensitive> {
        private final boolean reveals;

        SensitiveWriter(boolean reveals) {
            this.reveals = reveals;
        }

        @Override
        public void serialize(Sensitive value, JsonGenerator json, SerializerProvider provider) throws IOException {
            if (!reveals) {
                throw new IOException("a credential has no place in an answer");
            }
            json.writeString(value.reveal());
        }
    }
}
