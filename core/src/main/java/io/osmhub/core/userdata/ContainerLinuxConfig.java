package io.osmhub.core.userdata;

import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The YAML text that the peer has converted to Ignition. Values stand in it without escapes, so that odd ones make it unreadable, and
 * the peer refuses them; a machine that the peer would refuse has to be refused here with the same cause.
 *
 * <p>Nearly all values are provably read back as given ({@link #readsBackAsGiven}); the text is built and read only for the
 * others, and to say at which line the peer's log sees a fault.
 */
final class ContainerLinuxConfig {
    static final String REASON = "IgnitionConversionFailed";

    private static final String NAME_CURE = "leave out quotes, brackets, \": \", \" #\" and control characters";
    private static final String PATH_CURE = "leave out single quotes and control characters";
    private static final String PERMISSIONS_CURE = "write three octal digits, 644 for example";
    private static final String TEXT_CURE =
            "begin the first line without blanks, and use no control characters and no line breaks but LF and CR LF";

    private final UserDataInput input;
    private final List<String> keys;

    /** The only odd value that is written as it is; null when all are. */
    private final @Nullable Place suspect;

    private final StringBuilder text;
    private final Map<Place, Integer> starts = new LinkedHashMap<>();

    /** The values that may be read as something else, with what to do about them. */
    private final Map<Place, String> odd = new LinkedHashMap<>();

    private ContainerLinuxConfig(UserDataInput input, List<String> keys, @Nullable Place suspect) {
        this.input = input;
        this.keys = keys;
        this.suspect = suspect;
        this.text = new StringBuilder(input.roughSize());
        passwd();
        files();
        units();
        text.append('\n');
    }

    static ContainerLinuxConfig of(UserDataInput input, List<String> keys) {
        return new ContainerLinuxConfig(input, keys, null);
    }

    /** Whether the reader certainly takes every value for what it is. */
    static boolean readsBackAsGiven(UserDataInput input, List<String> keys) {
        for (String key : keys) {
            if (!YamlScalar.isPlain(key)) {
                return false;
            }
        }
        for (File file : input.config().files()) {
            if (!isQuotable(file.path()) || !Permissions.isNumber(file.permissions()) || !isBlock(file.data())) {
                return false;
            }
        }
        for (SystemdUnit unit : input.config().units()) {
            if (!YamlScalar.isPlain(unit.name()) || unit.content() != null && !isBlock(unit.content())) {
                return false;
            }
            for (SystemdUnit.DropIn dropIn : unit.dropIns()) {
                if (!YamlScalar.isPlain(dropIn.name()) || !isBlock(dropIn.content())) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isQuotable(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) == '\'' || !YamlScalar.isPrintable(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Unlike cloud-init's reader this one refuses a tab where it looks for indentation. */
    private static boolean isBlock(String value) {
        int first = 0;
        while (first < value.length() && (value.charAt(first) == '\n' || value.charAt(first) == '\r')) {
            first++;
        }
        return YamlScalar.standsInBlock(value) && (first == value.length() || value.charAt(first) != '\t');
    }

    private void passwd() {
        text.append("passwd:");
        if (!keys.isEmpty()) {
            text.append("\n  users:\n    - name: core\n      ssh_authorized_keys:\n        ");
        }
        for (int i = 0; i < keys.size(); i++) {
            text.append("- ");
            plain(Place.sshKey(i), keys.get(i));
            text.append("\n        ");
        }
    }

    private void files() {
        text.append("\nstorage:\n  files:");
        if (input.namesTheMachine()) {
            text.append("\n  - path: /etc/machine-name\n    mode: 0600\n    filesystem: root\n    contents:\n")
                    .append("        inline: '<MACHINE_NAME>'\n");
        }
        text.append(input.bootstrap() ? "\n" : "");
        List<File> files = input.config().files();
        for (int i = 0; i < files.size(); i++) {
            File file = files.get(i);
            text.append("\n  - path: ");
            String path = start(Place.path(i, file), file.path(), isQuotable(file.path()), PATH_CURE);
            text.append('\'').append(path).append("'\n    mode: ");
            boolean number = Permissions.isNumber(file.permissions());
            String permissions = Permissions.text(file.permissions());
            text.append(start(Place.permissions(i, file), permissions, number, PERMISSIONS_CURE));
            text.append("\n    filesystem: root\n    contents:\n        inline: ");
            block(Place.content(i, file), 10, file.data());
            text.append('\n');
        }
    }

    private void units() {
        text.append("\nsystemd:\n  units:");
        List<SystemdUnit> units = input.config().units();
        for (int i = 0; i < units.size(); i++) {
            SystemdUnit unit = units.get(i);
            text.append("\n  - name: ");
            plain(Place.unitName(i, unit), unit.name());
            text.append("\n    enabled: ").append(Boolean.TRUE.equals(unit.enable()));
            text.append("\n    mask: ").append(Boolean.TRUE.equals(unit.mask())).append('\n');
            if (unit.content() != null && !unit.content().isEmpty()) {
                text.append("\n    contents: ");
                block(Place.unitContent(i, unit), 6, unit.content());
            }
            text.append(unit.dropIns().isEmpty() ? "\n" : "\n\n    dropins:");
            for (int j = 0; j < unit.dropIns().size(); j++) {
                SystemdUnit.DropIn dropIn = unit.dropIns().get(j);
                text.append("\n      - name: ");
                plain(Place.dropInName(i, j, dropIn), dropIn.name());
                text.append("\n        contents: ");
                block(Place.dropInContent(i, j, dropIn), 10, dropIn.content());
            }
        }
    }

    private void plain(Place place, String value) {
        text.append(start(place, value, YamlScalar.isPlain(value), NAME_CURE));
    }

    private void block(Place place, int depth, String value) {
        String written = start(place, value, isBlock(value), TEXT_CURE);
        text.append("|\n");
        Indented.append(text, depth, written);
    }

    /** Notes where a value begins and whether it is odd; answers what to write, which is harmless for other odd ones than the suspect. */
    private String start(Place place, String value, boolean clear, String cure) {
        starts.put(place, text.length());
        if (clear) {
            return value;
        }
        odd.put(place, cure);
        return suspect == null || suspect.equals(place) ? value : "0";
    }

    /** Throws when the reader does not get a config out of the text. */
    void refuseIfUnreadable() {
        String fault = ConfigReader.faultOf(text.toString());
        if (fault != null) {
            Place culprit = culprit().orElse(new Place("files"));
            String what = "its Container Linux Config is unreadable: " + fault;
            String cure = odd.getOrDefault(culprit, TEXT_CURE);
            throw new TenantMistake(
                    new Finding(REASON, "OperatingSystemConfig", input.field(culprit.field()), what, cure));
        }
    }

    /** The reader names a line of its text, if any, so the odd values are tried one by one. */
    private Optional<Place> culprit() {
        Optional<Place> unreadable = odd.keySet().stream()
                .filter(place ->
                        ConfigReader.faultOf(new ContainerLinuxConfig(input, keys, place).text.toString()) != null)
                .findFirst();
        return unreadable.or(() -> odd.keySet().stream().findFirst());
    }

    /** {@code line 12, column 11}: where a value begins. */
    String position(Place place) {
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
}
