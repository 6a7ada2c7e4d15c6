package io.osmhub.core.userdata;

import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.yaml.YamlParser;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.userdata.UserDataGenerator.FilePermissions;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.nodes.MappingNode;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.NodeTuple;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;
import org.snakeyaml.engine.v2.nodes.Tag;

/**
 * The YAML text that OSM converts to Ignition. It embeds values unescaped, so that unusual ones make it unreadable and OSM rejects
 * them; the hub must reject the same machines for the same cause.
 *
 * <p>Nearly all values are provably read back unchanged ({@link #isReadBackUnchanged}); the text is built and parsed only for the
 * others, and to report the line of an error in OSM's log.
 */
final class ContainerLinuxConfig {
    static final String REASON = "IgnitionConversionFailed";

    private static final String NAME_CURE = "leave out quotes, brackets, \": \", \" #\" and control characters";
    private static final String PATH_CURE = "leave out single quotes and control characters";
    private static final String PERMISSIONS_CURE = "write three octal digits, 644 for example";
    private static final String TEXT_CURE =
            "begin the first line without blanks, and use no control characters and no line breaks but LF and CR LF";

    /** Each try reads all of the text again. */
    private static final int MOST_TRIED = 32;

    private final UserDataInput input;
    private final List<String> keys;

    /** The only suspicious value that is written verbatim; null to write all verbatim. */
    private final @Nullable ConfigFieldPath suspect;

    private final StringBuilder text;
    private final Map<ConfigFieldPath, Integer> starts = new LinkedHashMap<>();

    /** The values that may be read differently, with the fix for each. */
    private final Map<ConfigFieldPath, String> odd = new LinkedHashMap<>();

    private ContainerLinuxConfig(UserDataInput input, List<String> keys, @Nullable ConfigFieldPath suspect) {
        this.input = input;
        this.keys = keys;
        this.suspect = suspect;
        this.text = new StringBuilder(input.estimatedSize());
        passwd();
        files();
        units();
        text.append('\n');
    }

    static ContainerLinuxConfig of(UserDataInput input, List<String> keys) {
        return new ContainerLinuxConfig(input, keys, null);
    }

    /** Whether the reader certainly reads every value unchanged. */
    static boolean isReadBackUnchanged(UserDataInput input, List<String> keys) {
        for (String key : keys) {
            if (!YamlScalarQuoting.isPlain(key)) {
                return false;
            }
        }
        for (File file : input.config().files()) {
            if (!isQuotable(file.path()) || !FilePermissions.isNumber(file.permissions()) || !isBlock(file.data())) {
                return false;
            }
        }
        for (SystemdUnit unit : input.config().units()) {
            if (!YamlScalarQuoting.isPlain(unit.name()) || unit.content() != null && !isBlock(unit.content())) {
                return false;
            }
            for (SystemdUnit.DropIn dropIn : unit.dropIns()) {
                if (!YamlScalarQuoting.isPlain(dropIn.name()) || !isBlock(dropIn.content())) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isQuotable(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) == '\'' || !YamlScalarQuoting.isPrintable(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Unlike cloud-init's reader, this one rejects a tab in indentation. */
    private static boolean isBlock(String value) {
        int first = 0;
        while (first < value.length() && (value.charAt(first) == '\n' || value.charAt(first) == '\r')) {
            first++;
        }
        return YamlScalarQuoting.isSafeInBlock(value) && (first == value.length() || value.charAt(first) != '\t');
    }

    private void passwd() {
        text.append("passwd:");
        if (!keys.isEmpty()) {
            text.append("\n  users:\n    - name: core\n      ssh_authorized_keys:\n        ");
        }
        for (int i = 0; i < keys.size(); i++) {
            text.append("- ");
            plain(ConfigFieldPath.sshKey(i), keys.get(i));
            text.append("\n        ");
        }
    }

    private void files() {
        text.append("\nstorage:\n  files:");
        if (input.setsHostname()) {
            text.append("\n  - path: /etc/machine-name\n    mode: 0600\n    filesystem: root\n    contents:\n")
                    .append("        inline: '<MACHINE_NAME>'\n");
        }
        text.append(input.bootstrap() ? "\n" : "");
        List<File> files = input.config().files();
        for (int i = 0; i < files.size(); i++) {
            File file = files.get(i);
            text.append("\n  - path: ");
            String path = start(ConfigFieldPath.path(i, file), file.path(), isQuotable(file.path()), PATH_CURE);
            text.append('\'').append(path).append("'\n    mode: ");
            boolean number = FilePermissions.isNumber(file.permissions());
            String permissions = FilePermissions.text(file.permissions());
            text.append(start(ConfigFieldPath.permissions(i, file), permissions, number, PERMISSIONS_CURE));
            text.append("\n    filesystem: root\n    contents:\n        inline: ");
            block(ConfigFieldPath.content(i, file), 10, file.data());
            text.append('\n');
        }
    }

    private void units() {
        text.append("\nsystemd:\n  units:");
        List<SystemdUnit> units = input.config().units();
        for (int i = 0; i < units.size(); i++) {
            SystemdUnit unit = units.get(i);
            text.append("\n  - name: ");
            plain(ConfigFieldPath.unitName(i, unit), unit.name());
            text.append("\n    enabled: ").append(Boolean.TRUE.equals(unit.enable()));
            text.append("\n    mask: ").append(Boolean.TRUE.equals(unit.mask())).append('\n');
            if (unit.content() != null && !unit.content().isEmpty()) {
                text.append("\n    contents: ");
                block(ConfigFieldPath.unitContent(i, unit), 6, unit.content());
            }
            text.append(unit.dropIns().isEmpty() ? "\n" : "\n\n    dropins:");
            for (int j = 0; j < unit.dropIns().size(); j++) {
                SystemdUnit.DropIn dropIn = unit.dropIns().get(j);
                text.append("\n      - name: ");
                plain(ConfigFieldPath.dropInName(i, j, dropIn), dropIn.name());
                text.append("\n        contents: ");
                block(ConfigFieldPath.dropInContent(i, j, dropIn), 10, dropIn.content());
            }
        }
    }

    private void plain(ConfigFieldPath place, String value) {
        text.append(start(place, value, YamlScalarQuoting.isPlain(value), NAME_CURE));
    }

    private void block(ConfigFieldPath place, int depth, String value) {
        String written = start(place, value, isBlock(value), TEXT_CURE);
        text.append("|\n");
        // OSM's reader takes lines of blanks for empty ones, ours does not when nothing else follows them.
        boolean empty = written.chars().allMatch(c -> c == ' ' || c == '\n');
        if (empty) {
            text.append(written.replace(" ", ""));
        } else {
            TextIndentation.append(text, depth, written);
        }
    }

    /**
     * Records a value's position and whether it is suspicious. Returns the text to write, which is harmless for suspicious values
     * other than the suspect.
     */
    private String start(ConfigFieldPath place, String value, boolean clear, String cure) {
        starts.put(place, text.length());
        if (clear) {
            return value;
        }
        odd.put(place, cure);
        return suspect == null || suspect.equals(place) ? value : "0";
    }

    /** Throws if the reader cannot parse the text. */
    void requireReadable() {
        String fault = ContainerLinuxConfigReader.faultOf(text.toString());
        if (fault != null) {
            ConfigFieldPath culprit = culprit().orElse(new ConfigFieldPath("files"));
            String what = "its Container Linux Config is unreadable: " + fault;
            String cure = odd.getOrDefault(culprit, TEXT_CURE);
            throw new TenantMistake(
                    new ProblemFinding(REASON, "OperatingSystemConfig", input.fieldPath(culprit.field()), what, cure));
        }
    }

    /** The reader reports at most a line of its text, so the suspicious values are tried one by one. */
    private Optional<ConfigFieldPath> culprit() {
        Optional<ConfigFieldPath> unreadable = odd.keySet().stream()
                .limit(MOST_TRIED)
                .filter(place ->
                        ContainerLinuxConfigReader.faultOf(new ContainerLinuxConfig(input, keys, place).text.toString())
                                != null)
                .findFirst();
        return unreadable.or(() -> odd.keySet().stream().findFirst());
    }

    /** {@code line 12, column 11}: the start of a value. */
    String describePosition(ConfigFieldPath place) {
        int start = starts.getOrDefault(place, 0);
        int line = 1;
        int lineStart = 0;
        for (int i = 0; i < start; i++) {
            if (endsLine(i)) {
                line++;
                lineStart = i + 1;
            }
        }
        return "line " + line + ", column " + (text.codePointCount(lineStart, start) + 1);
    }

    private boolean endsLine(int at) {
        return switch (text.charAt(at)) {
            case '\n', 0x85, 0x2028, 0x2029 -> true;
            case '\r' -> text.charAt(at + 1) != '\n';
            default -> false;
        };
    }

    /** Parses a Container Linux Config just enough to decide whether OSM's reader accepts it. */
    private static final class ContainerLinuxConfigReader {
        private final StringBuilder faults = new StringBuilder();

        /** Aliases repeat nodes, so that a small text could describe a huge or endless tree. */
        private final Set<Node> visited = Collections.newSetFromMap(new IdentityHashMap<>());

        /** The reader's error message; null if it accepts the text. */
        static @Nullable String faultOf(String text) {
            Node root;
            try {
                root = YamlParser.parseDocument(text);
            } catch (TextSyntaxException unreadable) {
                return "yaml: line " + unreadable.line() + ": " + unreadable.problem();
            } catch (LimitExceededException e) {
                return "yaml: " + e.getMessage();
            }
            ContainerLinuxConfigReader reader = new ContainerLinuxConfigReader();
            if (root != null) {
                reader.structure(root);
            }
            return reader.faults.isEmpty() ? null : "yaml: unmarshal errors:" + reader.faults;
        }

        /** Visits the fields that require a string or a number; their names determine which. */
        private void structure(Node node) {
            if (!visited.add(node)) {
                return;
            }
            switch (node) {
                case MappingNode mapping -> {
                    for (NodeTuple entry : mapping.getValue()) {
                        field(
                                entry.getKeyNode() instanceof ScalarNode name ? name.getValue() : "",
                                entry.getValueNode());
                    }
                }
                case SequenceNode list -> list.getValue().forEach(this::structure);
                default -> {}
            }
        }

        private void field(String name, Node value) {
            switch (name) {
                case "name", "path", "inline" -> string(value);
                case "mode" -> number(value);
                case "ssh_authorized_keys" -> {
                    if (value instanceof SequenceNode keys) {
                        keys.getValue().forEach(this::string);
                    }
                }
                // For a file it is a mapping, for a unit always a text.
                default -> structure(value);
            }
        }

        private void string(Node value) {
            if (!(value instanceof ScalarNode)) {
                fault(value, YamlParser.shortTag(value), "string");
            }
        }

        private void number(Node value) {
            if (value instanceof ScalarNode scalar
                    && !scalar.getTag().equals(Tag.INT)
                    && !scalar.getTag().equals(Tag.FLOAT)) {
                fault(value, YamlParser.shortTag(scalar) + " `" + scalar.getValue() + "`", "int");
            }
        }

        private void fault(Node node, String found, String wanted) {
            faults.append(faults.isEmpty() ? "" : ",").append(" line ").append(YamlParser.line(node));
            faults.append(": cannot unmarshal ").append(found).append(" into ").append(wanted);
        }
    }

    /** Indents every line of a text, including the empty one after a final line break. */
    static final class TextIndentation {
        static void append(StringBuilder out, int depth, String text) {
            int from = 0;
            while (true) {
                out.repeat(' ', depth);
                int end = text.indexOf('\n', from);
                if (end < 0) {
                    out.append(text, from, text.length());
                    return;
                }
                out.append(text, from, end + 1);
                from = end + 1;
            }
        }
    }

    /**
     * The path of a value in the config.
     *
     * @param field its path below {@code spec.bootstrapConfig} or {@code spec.provisioningConfig}, with the file's path or unit's name
     *     for users
     */
    record ConfigFieldPath(String field) {
        static ConfigFieldPath sshKey(int index) {
            return new ConfigFieldPath("userSSHKeys[" + index + "]");
        }

        static ConfigFieldPath path(int index, File file) {
            return file(index, "path", file);
        }

        static ConfigFieldPath permissions(int index, File file) {
            return file(index, "permissions", file);
        }

        static ConfigFieldPath content(int index, File file) {
            return file(index, "content", file);
        }

        static ConfigFieldPath unitName(int index, SystemdUnit unit) {
            return unit(index, "name", unit.name());
        }

        static ConfigFieldPath unitContent(int index, SystemdUnit unit) {
            return unit(index, "content", unit.name());
        }

        static ConfigFieldPath dropInName(int unit, int index, SystemdUnit.DropIn dropIn) {
            return unit(unit, "dropIns[" + index + "].name", dropIn.name());
        }

        static ConfigFieldPath dropInContent(int unit, int index, SystemdUnit.DropIn dropIn) {
            return unit(unit, "dropIns[" + index + "].content", dropIn.name());
        }

        private static ConfigFieldPath file(int index, String part, File file) {
            return new ConfigFieldPath("files[" + index + "]." + part + " (" + file.path() + ")");
        }

        private static ConfigFieldPath unit(int index, String part, String name) {
            return new ConfigFieldPath("units[" + index + "]." + part + " (" + name + ")");
        }
    }
}
