package io.osmhub.deploy.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.model.IpAddress;
import io.osmhub.core.model.IpNetwork;
import io.osmhub.core.model.LabelSelector;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.schema.RecordSchemaReader;
import io.osmhub.core.schema.Schema;
import io.osmhub.core.schema.Schema.SchemaMetadata;
import io.osmhub.core.schema.SchemaDefaulter;
import io.osmhub.core.settings.SettingsLayer;
import io.osmhub.core.settings.SettingsReader;
import io.osmhub.core.workercluster.WorkerCluster;
import io.osmhub.deploy.config.RecordDecoder.ValueType;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** The schema of the configuration file, from {@link HubConfiguration}, and the types that only it has. */
public final class ConfigurationSchema {
    static final String API_VERSION = "config.osmhub.io/v1alpha1";
    static final String KIND = "HubConfiguration";
    static final String DEFAULTS = "defaults";
    /** Formats whose values may also be written as numbers. */
    static final Set<String> NUMERIC = Set.of("duration", "size");

    private static final List<ValueType<?>> TYPES = List.of(
            ValueType.ofText(
                    ListenAddress.class,
                    "an address",
                    "HOST:PORT or :PORT",
                    ListenAddress::parse,
                    text -> "write :8080 or 127.0.0.1:8080"),
            ValueType.ofText(
                    LabelSelector.class,
                    "a label selector",
                    "as for kubectl -l",
                    LabelSelector::parse,
                    text -> "write for example osmhub.io/tier=lab"),
            ValueType.ofText(
                    IpNetwork.class,
                    "a network",
                    "CIDR notation, for example 10.0.0.0/8 or fe80::/10",
                    IpNetwork::parse,
                    text -> "write " + nearestNetwork(text)),
            ValueType.ofText(
                    ByteSize.class,
                    "a size",
                    "4Ki to 64Mi",
                    ByteSize::parse,
                    text -> "use 4Ki to 64Mi, written for example 512Ki, 4Mi or bytes"),
            ValueType.ofText(
                    URI.class,
                    "an https URL",
                    "without user, query and fragment",
                    ConfigurationSchema::httpsUrl,
                    text -> "write for example https://hub.example.org:9443, without user, query and fragment"),
            new ValueType<>(SettingsLayer.class, tenantDefaults(), ConfigurationSchema::settings));

    static final Schema.ObjectSchema SCHEMA = RecordSchemaReader.readSchema(
            HubConfiguration.class,
            "Configuration of the hub. Tenants have their own settings; their defaults are below defaults.",
            TYPES.stream().collect(Collectors.toMap(ValueType::type, ValueType::schema)));

    private ConfigurationSchema() {}

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
        return (ObjectNode) SchemaDefaulter.applyDefaults(SCHEMA, JsonNodeFactory.instance.objectNode());
    }

    /** Decodes valid values with their defaults. */
    static HubConfiguration decode(JsonNode values) {
        return new RecordDecoder(TYPES).decode(HubConfiguration.class, values);
    }

    /** The sections of WorkerCluster.spec that have hub-wide defaults. */
    private static Schema tenantDefaults() {
        Schema.ObjectSchema spec = (Schema.ObjectSchema)
                Objects.requireNonNull(WorkerCluster.schema().fields().get("spec"));
        Map<String, Schema> sections = new LinkedHashMap<>(spec.fields());
        sections.keySet().retainAll(Set.of("provisioning", "profiles", "connection", "admission"));
        return new Schema.ObjectSchema(SchemaMetadata.NONE, sections, Set.of(), false);
    }

    private static SettingsLayer settings(JsonNode defaults) {
        return SettingsReader.read(defaults, DEFAULTS, new FindingsCollector("", Reason.SettingsInvalid.wireName()));
    }

    /** Mistakes in the defaults of tenants that their schema does not exclude. */
    static List<ProblemFinding> checkSettings(JsonNode defaults) {
        FindingsCollector mistakes = new FindingsCollector("", Reason.SettingsInvalid.wireName());
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
