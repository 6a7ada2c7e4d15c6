package io.osmhub.core.userdata;

import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The YAML text that the peer has converted to Ignition. Values stand in it without escapes, so that odd ones make it unreadable, and
 * the peer refuses them; a machine that the peer would refuse has to be refused here with the same cause.
 *
 * <p>Block texts are judged by {@link LiteralBlock}, all else by a YAML parser. Nearly all values are provably read back as given ({@link #readsBackAsGiven}); the text is built and read only
 * for the others, and to say at which line the peer's log sees a fault.
 */
final class ContainerLinuxConfig {
    static final String REASON = "IgnitionConversionFailed";

    private static final String NAME_CURE = "leave out quotes, brackets, \": \", \" #\" and control characters";
    private static final String TEXT_CURE =
            "begin the first line without blanks, and use no control characters and no line breaks but LF and CR LF";

    private final UserDataInput input;
    private final StringBuilder text;
    private final Map<Place, Integer> starts = new LinkedHashMap<>();
    private final List<Odd> odd = new ArrayList<>();

    /** A value that may be read as something else; {@code depth} is that of its literal block, 0 when it is not in one. */
    private record Odd(Place place, String value, int depth, String cure) {}

    ContainerLinuxConfig(UserDataInput input, List<String> keys) {
        this.input = input;
        this.text = new StringBuilder(input.roughSize());
        passwd(keys);
        files();
        units();
        text.append('\n');
    }

    /** Whether the reader certainly takes every value for what it is. */
    static boolean readsBackAsGiven(UserDataInput input, List<String> keys) {
        for (String key : keys) {
            if (!isPlain(key)) {
                return false;
            }
        }
        for (File file : input.config().files()) {
            if (!isQuotable(file.path()) || !Permissions.isNumber(file.permissions()) || !isBlock(file.data())) {
                return false;
            }
        }
        for (SystemdUnit unit : input.config().units()) {
            if (!isPlain(unit.name()) || unit.content() != null && !isBlock(unit.content())) {
                return false;
            }
            for (SystemdUnit.DropIn dropIn : unit.dropIns()) {
                if (!isPlain(dropIn.name()) || !isBlock(dropIn.content())) {
                    return false;
                }
            }
        }
        return true;
    }

    private static boolean isPlain(String value) {
        return YamlText.isPlain(value);
    }

    private static boolean isQuotable(String value) {
        for (int i = 0; i < value.length(); i++) {
            if (value.charAt(i) == '\'' || !YamlText.isPrintable(value.charAt(i))) {
                return false;
            }
        }
        return true;
    }

    /** Unlike cloud-init's reader this one refuses a tab where it looks for indentation. */
    private static boolean isBlock(String value) {
        return YamlText.standsInBlock(value) && !beginsWithTab(value);
    }

    private static boolean beginsWithTab(String block) {
        int first = 0;
        while (first < block.length() && (block.charAt(first) == '\n' || block.charAt(first) == '\r')) {
            first++;
        }
        return first < block.length() && block.charAt(first) == '\t';
    }

    private void passwd(List<String> keys) {
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
            value(
                    Place.path(i, file),
                    file.path(),
                    isQuotable(file.path()),
                    "leave out single quotes and control characters");
            text.append('\'').append(file.path()).append("'\n    mode: ");
            String permissions = Permissions.text(file.permissions());
            value(Place.permissions(i, file), permissions, true, "");
            text.append(permissions).append("\n    filesystem: root\n    contents:\n        inline: ");
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
        value(place, value, isPlain(value), NAME_CURE);
        text.append(value);
    }

    /** {@link LiteralBlock} looks at the text itself; here a text of as many lines stands for it. */
    private void block(Place place, int depth, String value) {
        starts.put(place, text.length());
        if (!isBlock(value)) {
            odd.add(new Odd(place, value, depth, TEXT_CURE));
        }
        text.append("|\n").repeat(' ', depth).append('x');
        for (int i = 0; i < value.length(); i++) {
            if (LiteralBlock.endsLine(value, i)) {
                text.append('\n');
            }
        }
    }

    private void value(Place place, String value, boolean clear, String cure) {
        starts.put(place, text.length());
        if (!clear) {
            odd.add(new Odd(place, value, 0, cure));
        }
    }

    /** {@code line 12, column 11}: where a value begins. */
    String position(Place place) {
        int start = starts.getOrDefault(place, 0);
        int lineStart = start;
        while (lineStart > 0 && !LiteralBlock.endsLine(text, lineStart - 1)) {
            lineStart--;
        }
        return "line " + line(start) + ", column " + (text.codePointCount(lineStart, start) + 1);
    }

    private int line(int offset) {
        int line = 1;
        for (int i = 0; i < offset; i++) {
            if (LiteralBlock.endsLine(text, i)) {
                line++;
            }
        }
        return line;
    }

    /** Throws when the reader does not get a config out of the text. */
    void refuseIfUnreadable() {
        List<File> files = input.config().files();
        for (int i = 0; i < files.size(); i++) {
            int permissions = files.get(i).permissions();
            if (!Permissions.isNumber(permissions)) {
                Place place = Place.permissions(i, files.get(i));
                throw refusal(
                        place,
                        "yaml: unmarshal errors: line " + line(starts.getOrDefault(place, 0))
                                + ": cannot unmarshal !!str `" + Permissions.text(permissions) + "` into int",
                        "write three octal digits, 644 for example");
            }
        }
        for (Odd value : odd) {
            String what = fault(value);
            if (what != null) {
                throw refusal(value.place(), "yaml: " + what, value.cure());
            }
        }
        ConfigReader.Fault fault = ConfigReader.read(text);
        if (fault != null) {
            Odd culprit = culprit(fault.offset());
            throw refusal(culprit.place(), "yaml: " + fault.what(), culprit.cure());
        }
    }

    private @Nullable String fault(Odd value) {
        String what = ConfigReader.characterFault(value.value());
        if (what != null || value.depth() == 0) {
            return what;
        }
        LiteralBlock.Fault fault = LiteralBlock.faultOf(value.value(), value.depth());
        if (fault == null) {
            return null;
        }
        return "line " + (line(starts.getOrDefault(value.place(), 0)) + fault.line()) + ": " + fault.what();
    }

    /** The last odd value before the place where the reader gave up. */
    private Odd culprit(int offset) {
        @Nullable Odd culprit = null;
        for (Odd value : odd) {
            if (culprit == null || starts.getOrDefault(value.place(), 0) <= offset) {
                culprit = value;
            }
        }
        return culprit == null ? new Odd(new Place("files"), "", 0, TEXT_CURE) : culprit;
    }

    private TenantMistake refusal(Place place, String what, String cure) {
        return new TenantMistake(new Finding(
                REASON,
                "OperatingSystemConfig",
                input.field(place.field()),
                "its Container Linux Config is unreadable: " + what,
                cure));
    }
}
