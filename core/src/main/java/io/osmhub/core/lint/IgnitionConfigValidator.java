package io.osmhub.core.lint;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.lint.UnitChecks.UnitSyntaxParser;
import io.osmhub.core.problem.MessageFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Validates the parts of an Ignition config that profiles use. Ignition rejects an invalid config, and the machine does not start.
 */
final class IgnitionConfigValidator {
    /** One error; {@code path} is the location in the config. */
    record IgnitionConfigError(String path, String what, String cure) {}

    private static final ObjectMapper JSON = new ObjectMapper();
    private static final Pattern VERSION = Pattern.compile("[23]\\.\\d+\\.\\d+(-experimental)?");
    private static final int HIGHEST_MODE = 07777;
    private static final Set<String> SECTIONS =
            Set.of("ignition", "kernelArguments", "networkd", "passwd", "storage", "systemd");

    private final List<IgnitionConfigError> faults = new ArrayList<>();

    private IgnitionConfigValidator() {}

    static boolean isIgnitionConfig(String path, String text) {
        return path.endsWith(".ign") || text.startsWith("{\"ignition\"");
    }

    /** Checks a valid JSON document. */
    static List<IgnitionConfigError> check(String text) {
        IgnitionConfigValidator config = new IgnitionConfigValidator();
        try {
            config.root(JSON.readTree(text));
        } catch (JsonProcessingException e) {
            config.add("", "is not valid JSON", "");
        }
        return config.faults;
    }

    private void root(JsonNode root) {
        if (!root.isObject()) {
            add("", "is not an object", "write {\"ignition\": {\"version\": \"2.3.0\"}}");
            return;
        }
        for (Map.Entry<String, JsonNode> section : root.properties()) {
            if (!SECTIONS.contains(section.getKey())) {
                add(
                        section.getKey(),
                        "unknown Ignition section",
                        FindingsCollector.suggestClosest(section.getKey(), new TreeSet<>(SECTIONS)));
            } else if (!section.getValue().isObject()) {
                add(section.getKey(), "must be an object", "");
            }
        }
        String version = root.path("ignition").path("version").asText();
        if (!VERSION.matcher(version).matches()) {
            add("ignition.version", "\"" + version + "\" is not a valid format version", "write 2.3.0, for example");
        }
        items(root.path("storage"), "storage", "files", this::file);
        items(root.path("systemd"), "systemd", "units", this::unit);
        items(root.path("passwd"), "passwd", "users", (path, user) -> text(path, user, "name"));
    }

    private interface ItemCheck {
        void check(String path, JsonNode item);
    }

    private void items(JsonNode section, String name, String list, ItemCheck check) {
        JsonNode items = section.path(list);
        String path = name + "." + list;
        if (!items.isArray() && !items.isMissingNode()) {
            add(path, "must be a list", "");
        }
        for (int i = 0; i < items.size(); i++) {
            check.check(path + "[" + i + "]", items.get(i));
        }
    }

    private void file(String path, JsonNode file) {
        if (text(path, file, "path") && !file.path("path").asText().startsWith("/")) {
            add(path + ".path", "must be absolute", "begin it with /");
        }
        JsonNode mode = file.path("mode");
        boolean legal = mode.isIntegralNumber() && mode.intValue() >= 0 && mode.intValue() <= HIGHEST_MODE;
        if (!mode.isMissingNode() && !legal) {
            add(path + ".mode", mode + " is not a file mode", "write the mode as a decimal number, 420 for 0644");
        } else if (FileMode.isMisread(mode.intValue())) {
            add(
                    path + ".mode",
                    "Ignition reads the number " + mode + " as mode " + FileMode.octal(mode.intValue()),
                    "write the mode as a decimal number, 420 for 0644");
        }
        if (!file.path("contents").isMissingNode() && !file.path("contents").isObject()) {
            add(path + ".contents", "must be an object", "write {\"source\": \"data:,text\"}");
        }
    }

    private void unit(String path, JsonNode unit) {
        if (text(path, unit, "name")
                && !UnitSyntaxParser.isUnitName(unit.path("name").asText())) {
            add(path + ".name", "does not end in a unit type", "end it in .service, for example");
        }
        JsonNode contents = unit.path("contents");
        if (contents.isTextual()
                && !UnitSyntaxParser.readUnit(contents.asText()).faults().isEmpty()) {
            UnitSyntaxParser.UnitSyntaxError fault =
                    UnitSyntaxParser.readUnit(contents.asText()).faults().getFirst();
            add(path + ".contents", "line " + fault.line() + " " + fault.message(), fault.cure());
        }
    }

    private boolean text(String path, JsonNode object, String name) {
        boolean right = object.path(name).isTextual();
        if (!right) {
            add(path + "." + name, "must be a string", "");
        }
        return right;
    }

    private void add(String path, String what, String cure) {
        if (faults.size() < UnitSyntaxParser.MOST_ERRORS) {
            faults.add(new IgnitionConfigError(MessageFormatter.quote(path), MessageFormatter.quote(what), cure));
        } else if (faults.size() == UnitSyntaxParser.MOST_ERRORS) {
            faults.add(new IgnitionConfigError("", UnitSyntaxParser.MORE, "correct the errors above first"));
        }
    }
}
