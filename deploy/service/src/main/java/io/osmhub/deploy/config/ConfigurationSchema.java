package io.osmhub.deploy.config;

import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.BeanProperty;
import com.fasterxml.jackson.databind.DeserializationContext;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.JsonDeserializer;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.deser.ContextualDeserializer;
import com.fasterxml.jackson.databind.deser.std.StdDeserializer;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.module.SimpleModule;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.schema.DurationFormat;
import io.osmhub.core.schema.ObjectValidator;
import io.osmhub.core.schema.ObjectValidator.TextFormat;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The schema of the configuration file, configuration-schema.yaml, and the types that only it has. */
public final class ConfigurationSchema {
    static final String API_VERSION = "config.osmhub.io/v1alpha1";
    static final String KIND = "HubConfiguration";
    static final String DEFAULTS = "defaults";
    /** Formats whose values may also be written as numbers. */
    static final Set<String> NUMERIC = Set.of("duration", "size");

    /** A type that is written as text, with its format in the schema. */
    private record TextType<T>(Class<T> type, Function<String, @Nullable T> parse, TextFormat format) {
        /**
         * @param name with its article; without it, the name of the format
         * @param parse returns null if the text is invalid
         */
        static <T> TextType<T> of(
                Class<T> type,
                String name,
                String example,
                Function<String, @Nullable T> parse,
                UnaryOperator<String> fix) {
            return new TextType<>(type, parse, new TextFormat(name, example, text -> parse.apply(text) != null, fix));
        }

        /** Its name in the schema. */
        String formatName() {
            return format.name().substring(format.name().indexOf(' ') + 1);
        }

        void addTo(SimpleModule module) {
            module.addDeserializer(type, new TextDeserializer<>(type, parse));
        }
    }

    private static final List<TextType<?>> TYPES = List.of(
            TextType.of(
                    ListenAddress.class,
                    "an address",
                    "HOST:PORT or :PORT",
                    ListenAddress::parse,
                    text -> "write :8080 or 127.0.0.1:8080"),
            TextType.of(
                    LabelSelector.class,
                    "a label selector",
                    "as for kubectl -l",
                    LabelSelector::parse,
                    text -> "write for example osmhub.io/tier=lab"),
            TextType.of(
                    IpNetwork.class,
                    "a network",
                    "CIDR notation, for example 10.0.0.0/8 or fe80::/10",
                    IpNetwork::parse,
                    text -> "write " + nearestNetwork(text)),
            TextType.of(
                    ByteSize.class,
                    "a size",
                    "4Ki to 64Mi",
                    ByteSize::parse,
                    text -> "use 4Ki to 64Mi, written for example 512Ki, 4Mi or bytes"),
            TextType.of(
                    URI.class,
                    "an https URL",
                    "without user, query and fragment",
                    ConfigurationSchema::httpsUrl,
                    text -> "write for example https://hub.example.org:9443, without user, query and fragment"));

    /** The formats of texts, in addition to those of Kubernetes. */
    static final Map<String, TextFormat> FORMATS =
            TYPES.stream().collect(Collectors.toMap(TextType::formatName, TextType::format));

    /** Without {@code apiVersion} and {@code kind}. Must not be changed. */
    static final JsonNode SCHEMA = readSchema();

    private static final ObjectMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.FAIL_ON_MISSING_CREATOR_PROPERTIES)
            .addModule(module())
            .build();

    private ConfigurationSchema() {}

    /** The schema of the file, with the settings of tenants that have hub-wide defaults. */
    private static JsonNode readSchema() {
        try (InputStream in = ConfigurationSchema.class.getResourceAsStream("configuration-schema.yaml")) {
            String yaml = new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
            JsonNode schema =
                    SourceDocument.json(YamlDocumentReader.read("configuration-schema.yaml", yaml, Reason.InternalError)
                            .getFirst()
                            .root());
            ObjectNode spec = ShippedDefinition.WORKER_CLUSTERS
                    .schema()
                    .at("/properties/spec/properties")
                    .deepCopy();
            ((ObjectNode) schema.at("/properties/" + DEFAULTS))
                    .set("properties", spec.retain("provisioning", "profiles", "connection", "admission"));
            return schema;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static SimpleModule module() {
        SimpleModule module = new SimpleModule();
        TYPES.forEach(type -> type.addTo(module));
        return module.addDeserializer(
                        Duration.class, new TextDeserializer<>(Duration.class, DurationFormat::parseWithDays))
                .addDeserializer(SettingsLayer.class, new SettingsDeserializer())
                .addDeserializer(Optional.class, new OptionalDeserializer(null));
    }

    private static final class TextDeserializer<T> extends StdDeserializer<T> {
        private final transient Function<String, @Nullable T> parse;

        TextDeserializer(Class<T> type, Function<String, @Nullable T> parse) {
            super(type);
            this.parse = parse;
        }

        @Override
        public T deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return Objects.requireNonNull(parse.apply(parser.getText()), "not validated");
        }
    }

    private static final class SettingsDeserializer extends StdDeserializer<SettingsLayer> {
        SettingsDeserializer() {
            super(SettingsLayer.class);
        }

        @Override
        public SettingsLayer deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return SettingsReader.read(
                    parser.readValueAsTree(),
                    DEFAULTS,
                    new FindingsCollector(ProblemObject.NONE, Reason.SettingsInvalid));
        }
    }

    /** An empty text is an empty value. */
    private static final class OptionalDeserializer extends StdDeserializer<Optional<?>>
            implements ContextualDeserializer {
        private final @Nullable JavaType content;

        OptionalDeserializer(@Nullable JavaType content) {
            super(Optional.class);
            this.content = content;
        }

        @Override
        public JsonDeserializer<?> createContextual(DeserializationContext context, BeanProperty property) {
            return new OptionalDeserializer(context.getContextualType().containedType(0));
        }

        @Override
        public Optional<?> deserialize(JsonParser parser, DeserializationContext context) throws IOException {
            return parser.getText().isEmpty() ? Optional.empty() : Optional.of(context.readValue(parser, content));
        }
    }

    /** A size in bytes, written {@code 512Ki}, {@code 4Mi} or as a number. */
    public record ByteSize(long bytes) {
        private static final Pattern FORM = Pattern.compile("([0-9]{1,12})(Ki|Mi)?");
        private static final ByteSize LEAST = new ByteSize(4L << 10);
        private static final ByteSize MOST = new ByteSize(64L << 20);

        static @Nullable ByteSize parse(String text) {
            Matcher size = FORM.matcher(text);
            if (!size.matches()) {
                return null;
            }
            int shift = size.group(2) == null ? 0 : size.group(2).equals("Ki") ? 10 : 20;
            long bytes = Long.parseLong(size.group(1)) << shift;
            return bytes < LEAST.bytes || bytes > MOST.bytes ? null : new ByteSize(bytes);
        }
    }

    /** All values that are built in. */
    static ObjectNode defaults() {
        return (ObjectNode) ObjectValidator.withDefaults(SCHEMA, JsonNodeFactory.instance.objectNode());
    }

    /** Decodes valid values with their defaults. */
    static HubConfiguration decode(JsonNode values) {
        try {
            return JSON.treeToValue(values, HubConfiguration.class);
        } catch (JsonProcessingException e) {
            throw new IllegalArgumentException("not validated: " + e.getOriginalMessage(), e);
        }
    }

    /** Mistakes in the defaults of tenants that their schema does not exclude. */
    static List<Problem> checkSettings(JsonNode defaults) {
        FindingsCollector mistakes = new FindingsCollector(ProblemObject.NONE, Reason.SettingsInvalid);
        SettingsReader.read(defaults, DEFAULTS, mistakes);
        return mistakes.findings();
    }

    /** Suggests a correction: adds a missing colon or prefix, or clears host bits. */
    private static String nearestNetwork(String text) {
        IpNetwork corrected = IpNetwork.parse(text.replaceFirst("([^:]):/", "$1::/"));
        if (corrected != null) {
            return corrected.toString();
        }
        int slash = text.indexOf('/');
        IpAddress address = IpAddress.parse(slash < 0 ? text : text.substring(0, slash));
        if (address == null) {
            return "for example 10.0.0.0/8";
        }
        boolean dotted = text.indexOf(':') < 0;
        int most = dotted ? 32 : 128;
        String bits = text.substring(slash + 1);
        if (slash < 0 || !bits.matches("[0-9]{1,3}") || Integer.parseInt(bits) > most) {
            return address + "/" + most;
        }
        return new IpNetwork(address, Integer.parseInt(bits) + 128 - most).toString();
    }

    private static @Nullable URI httpsUrl(String text) {
        try {
            URI url = new URI(text);
            boolean plain = url.getUserInfo() == null && url.getQuery() == null && url.getFragment() == null;
            return plain && "https".equals(url.getScheme()) && url.getHost() != null ? url : null;
        } catch (URISyntaxException e) {
            return null;
        }
    }
}
