package io.osmhub.deploy.config;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.BigIntegerNode;
import com.fasterxml.jackson.databind.node.BooleanNode;
import com.fasterxml.jackson.databind.node.DecimalNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.fasterxml.jackson.databind.node.TextNode;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.document.YamlException;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.schema.ObjectValidator;
import io.osmhub.core.settings.Setting;
import java.math.BigDecimal;
import java.math.BigInteger;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Merges file, environment and command line over the built-in defaults. Each source becomes a tree like that of the file, whose
 * valid values are applied and whose errors are reported with source and key.
 */
public final class ConfigurationLoader {
    private static final int LARGEST = 1 << 20;
    private static final String FILE_VARIABLE = "OSM_HUB_CONFIG";
    private static final String NAMESPACE_VARIABLE = "POD_NAMESPACE";
    private static final Set<String> OTHER_USES =
            Set.of(FILE_VARIABLE, "OSM_HUB_SERVER", "OSM_HUB_TOKEN_FILE", "OSM_HUB_CA_FILE", "OSM_HUB_SERVICE_ACCOUNT");
    /** What Kubernetes adds to every pod for Services {@code osm-hub} and {@code osm-hub-*} in its namespace. No key ends so. */
    private static final Pattern SERVICE_LINK = Pattern.compile(
            "OSM_HUB(_[A-Z0-9_]+)?_(SERVICE_(HOST|PORT(_[A-Z0-9_]+)?)|PORT(_[0-9]+_(TCP|UDP|SCTP)(_(PROTO|PORT|ADDR))?)?)");

    private final Set<InputError> mistakes = new LinkedHashSet<>();
    private final ObjectNode values = ConfigurationSchema.defaults();
    private final Map<String, ValueOrigin> origins = new HashMap<>();

    private ConfigurationLoader() {}

    /** A configuration, or its errors. */
    public sealed interface Result {
        record Loaded(EffectiveConfiguration effective) implements Result {}

        /** @param mistakes at least one */
        record Refused(List<InputError> mistakes) implements Result {
            public Refused {
                mistakes = List.copyOf(mistakes);
            }
        }
    }

    /** The file to read; null if none. */
    private static @Nullable String file(ConfigurationSources sources) {
        if (sources.file() != null) {
            return sources.file();
        }
        String named = sources.environment().getOrDefault(FILE_VARIABLE, "");
        if (!named.isEmpty()) {
            return named;
        }
        return Files.exists(sources.usualFile()) ? sources.usualFile().toString() : null;
    }

    /** Reads all sources. Does not throw: an unreadable file is reported as an error. */
    public static Result load(ConfigurationSources sources) {
        ConfigurationLoader loader = new ConfigurationLoader();
        String file = file(sources);
        return loader.merge(sources, file, file == null ? "" : loader.textOrEmpty(file));
    }

    /** Reads all sources, with the file's content. */
    static Result load(ConfigurationSources sources, @Nullable String file, String text) {
        return new ConfigurationLoader().merge(sources, file, text);
    }

    /** The built-in values, with valid texts for some keys. */
    public static HubConfiguration withValues(Map<String, String> texts) {
        ObjectNode values = ConfigurationSchema.defaults();
        for (ConfigurationKey key : ConfigurationKey.all()) {
            String text = texts.get(key.path());
            if (text != null) {
                key.set(values, parse(key.schema(), text));
            }
        }
        return ConfigurationSchema.decode(values);
    }

    private Result merge(ConfigurationSources sources, @Nullable String file, String text) {
        String namespace = sources.environment().getOrDefault(NAMESPACE_VARIABLE, "");
        if (!namespace.isEmpty()) {
            // A default that the file can override.
            applyText("management.namespace", namespace, ValueOrigin.ofVariable(NAMESPACE_VARIABLE));
        }
        if (file != null) {
            readFile(file, text);
        }
        new TreeMap<>(sources.environment()).forEach(this::readVariable);
        sources.options().forEach(this::readOption);
        HubConfiguration configuration = ConfigurationSchema.decode(values);
        new CrossKeyValidator(values, configuration, this::origin, mistakes::add).check(sources.environment());
        return mistakes.isEmpty()
                ? new Result.Loaded(new EffectiveConfiguration(values, origins, configuration, file))
                : new Result.Refused(List.copyOf(mistakes));
    }

    private ValueOrigin origin(String path) {
        return origins.getOrDefault(path, ValueOrigin.BUILT_IN);
    }

    private String textOrEmpty(String file) {
        try {
            return text(file);
        } catch (InputFile.UnreadableException e) {
            mistakes.add(e.error());
            return "";
        }
    }

    static String text(String file) throws InputFile.UnreadableException {
        return new InputFile(file, LARGEST).read(null);
    }

    private void readFile(String file, String text) {
        ValueOrigin origin = ValueOrigin.ofFile(file);
        JsonNode root = parse(origin, "", text);
        if (root instanceof ObjectNode tree) {
            expect(origin, tree, "apiVersion", ConfigurationSchema.API_VERSION);
            expect(origin, tree, "kind", ConfigurationSchema.KIND);
            apply(tree, origin);
        } else if (root != null) {
            add(origin, "", "is not a configuration", "begin with apiVersion: " + ConfigurationSchema.API_VERSION);
        }
    }

    /**
     * Returns null if the text is empty or is not YAML, which is reported.
     *
     * @param path empty for a file, whose syntax errors have a position
     */
    private @Nullable JsonNode parse(ValueOrigin origin, String path, String text) {
        try {
            List<DocumentNode> documents = YamlDocumentReader.parse(text);
            if (documents.size() > 1) {
                addSyntax(origin, documents.get(1).position(), path, "contains a second document", "keep one");
            }
            return documents.isEmpty() ? null : SourceDocument.json(documents.getFirst());
        } catch (YamlException e) {
            boolean syntax = e.kind() == YamlException.Kind.SYNTAX;
            addSyntax(origin, e.position(), path, (syntax ? "is not valid YAML: " : "") + e.problem(), e.fix());
            return null;
        }
    }

    private void addSyntax(ValueOrigin origin, SourcePosition at, String path, String what, String cure) {
        mistakes.add(new InputError(origin.source(), path.isEmpty() ? at : SourcePosition.NONE, path, what, cure));
    }

    /** Removes a field of the head from the file's values. */
    private void expect(ValueOrigin origin, ObjectNode tree, String field, String value) {
        JsonNode found = tree.remove(field);
        if (found == null || !found.asText().equals(value)) {
            add(origin, field, found == null ? "is missing" : "is not " + value, "write " + field + ": " + value);
        }
    }

    private void readVariable(String variable, String text) {
        ConfigurationKey key = ConfigurationKey.all().stream()
                .filter(each -> each.variable().equals(variable))
                .findFirst()
                .orElse(null);
        if (key != null) {
            applyText(key.path(), text, ValueOrigin.ofVariable(variable));
        } else if (variable.startsWith("OSM_HUB_")
                && !OTHER_USES.contains(variable)
                && !SERVICE_LINK.matcher(variable).matches()) {
            add(ValueOrigin.ofVariable(variable), "", "unknown variable", ConfigurationKey.correctVariable(variable));
        }
    }

    private void readOption(ConfigurationSources.Option option) {
        ValueOrigin origin = ValueOrigin.ofOption(option);
        int equals = option.text().indexOf('=');
        if (!option.name().equals(ValueOrigin.SET)) {
            ConfigurationKey key = ConfigurationKey.all().stream()
                    .filter(each -> each.flag().equals(option.name()))
                    .findFirst()
                    .orElseThrow(() -> new IllegalArgumentException("no key has the option " + option.name()));
            applyText(key.path(), option.text(), origin);
        } else if (equals <= 0) {
            add(origin, option.text(), "is not KEY=VALUE", "write for example log.level=debug");
        } else {
            applyText(option.text().substring(0, equals).strip(), option.text().substring(equals + 1), origin);
        }
    }

    /** Applies a text for a key; YAML for a structured one, and for a part of the tenants' defaults. */
    private void applyText(String path, String text, ValueOrigin origin) {
        ConfigurationKey key = ConfigurationKey.of(path);
        ObjectNode tree = JsonNodeFactory.instance.objectNode();
        if (key != null && key.isTextual()) {
            key.set(tree, parse(key.schema(), text));
        } else if (key != null || path.startsWith(ConfigurationSchema.DEFAULTS + ".")) {
            JsonNode value = parse(origin, path, text);
            if (value == null) {
                return;
            }
            new ConfigurationKey(path, ConfigurationSchema.SCHEMA, "", false).set(tree, value);
        } else {
            addUnknown(origin, path, "docs/reference/configuration.md lists all");
            return;
        }
        apply(tree, origin);
    }

    /** The value of a text; the text itself if it is not one of the type, which the validation reports. */
    private static JsonNode parse(JsonNode schema, String text) {
        JsonNode wrong = TextNode.valueOf(text);
        return switch (schema.path("type").asText()) {
            case "boolean" ->
                text.equals("true") || text.equals("false") ? BooleanNode.valueOf(text.equals("true")) : wrong;
            case "integer" -> text.matches("-?[0-9]{1,18}") ? BigIntegerNode.valueOf(new BigInteger(text)) : wrong;
            case "number" ->
                text.matches("-?[0-9]{1,18}(\\.[0-9]{1,18})?") ? DecimalNode.valueOf(new BigDecimal(text)) : wrong;
            case "array" -> {
                ArrayNode items = JsonNodeFactory.instance.arrayNode();
                for (String item : text.isBlank() ? new String[0] : text.split(",", -1)) {
                    items.add(parse(schema.get("items"), item.strip()));
                }
                yield items;
            }
            case "object" -> {
                ObjectNode entries = JsonNodeFactory.instance.objectNode();
                for (String entry : text.isBlank() ? new String[0] : text.split(",", -1)) {
                    // Without an equals sign, the entry is reported as a name without a value.
                    String[] parts = (entry.contains("=") ? entry : entry + "=").split("=", 2);
                    entries.set(parts[0].strip(), parse(schema.path("additionalProperties"), parts[1].strip()));
                }
                yield entries;
            }
            default -> wrong;
        };
    }

    /** Applies the valid values of a source, and reports the errors of the others. */
    private void apply(ObjectNode tree, ValueOrigin origin) {
        removeNulls(tree);
        for (ConfigurationKey key : ConfigurationKey.all()) {
            boolean numeric = ConfigurationSchema.NUMERIC.contains(
                    key.schema().path("format").asText());
            if (numeric && key.in(tree).isNumber()) {
                key.set(tree, TextNode.valueOf(key.in(tree).asText()));
            }
        }
        List<Problem> findings = new ArrayList<>(ObjectValidator.check(
                ConfigurationSchema.SCHEMA,
                ConfigurationSchema.FORMATS,
                tree,
                null,
                Reason.SettingsInvalid,
                ProblemObject.NONE));
        JsonNode defaults = tree.path(ConfigurationSchema.DEFAULTS);
        if (defaults.isObject() && findings.stream().noneMatch(found -> isAt(found, ConfigurationSchema.DEFAULTS))) {
            findings.addAll(ConfigurationSchema.checkSettings(defaults));
        }
        findings.forEach(found -> report(found, origin));
        for (ConfigurationKey key : ConfigurationKey.all()) {
            JsonNode value = key.in(tree);
            if (!value.isMissingNode() && findings.stream().noneMatch(found -> isAt(found, key.path()))) {
                if (key.path().equals(ConfigurationSchema.DEFAULTS)) {
                    merge((ObjectNode) key.in(values), (ObjectNode) value, "");
                } else {
                    key.set(values, value);
                }
                origins.put(key.path(), origin);
            }
        }
    }

    private static boolean isAt(Problem finding, String path) {
        String rest = finding.field().startsWith(path) ? finding.field().substring(path.length()) : "-";
        return rest.isEmpty() || rest.startsWith(".") || rest.startsWith("[");
    }

    private static void removeNulls(JsonNode node) {
        if (node instanceof ObjectNode object) {
            object.properties().removeIf(entry -> entry.getValue().isNull());
        }
        node.forEach(ConfigurationLoader::removeNulls);
    }

    /** Replaces whole settings: lists, maps and references are never merged. */
    private static void merge(ObjectNode below, ObjectNode above, String prefix) {
        above.properties().forEach(entry -> {
            String path = prefix + entry.getKey();
            boolean section =
                    Setting.ALL.stream().anyMatch(setting -> setting.path().startsWith(path + "."));
            if (section && below.get(entry.getKey()) instanceof ObjectNode old) {
                merge(old, (ObjectNode) entry.getValue(), path + ".");
            } else {
                below.set(entry.getKey(), entry.getValue());
            }
        });
    }

    private void report(Problem finding, ValueOrigin origin) {
        String path = finding.field();
        if (!finding.cause().equals("unknown field")) {
            add(origin, path, finding.cause(), finding.fix());
        } else if (path.startsWith(ConfigurationSchema.DEFAULTS + ".")) {
            boolean setting =
                    !Setting.below(path.substring(path.indexOf('.') + 1)).isEmpty();
            add(
                    origin,
                    path,
                    setting ? "applies to one tenant only" : "unknown key",
                    setting ? "set it in the spec of its WorkerCluster" : finding.fix());
        } else {
            addUnknown(origin, path, "valid keys: " + String.join(", ", ConfigurationKey.siblings(path)));
        }
    }

    private void add(ValueOrigin origin, String key, String what, String cure) {
        mistakes.add(origin.error(key, what, cure));
    }

    private void addUnknown(ValueOrigin origin, String path, String otherwise) {
        add(
                origin,
                path,
                "unknown key",
                ConfigurationKey.suggestion(path)
                        .map(near -> "did you mean " + near + "?")
                        .orElse(otherwise));
    }
}
