package io.osmhub.core.userdata;

import io.osmhub.core.osc.OperatingSystemConfig.Config;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The Ignition 2.3.0 document.
 *
 * <p>The peer writes a Container Linux Config, which is YAML, and has it read and transpiled
 * (container-linux-config-transpiler). The document here is written directly: {@link ContainerLinuxConfig} says whether that reading would
 * have been refused, {@link IgnitionCheck} does what the transpiler checks, and what passes both is written as given.
 */
final class Ignition {
    private final UserDataInput input;
    private final Config config;
    private final List<String> keys;
    private final StringBuilder out;

    Ignition(UserDataInput input) {
        this.input = input;
        this.config = input.config();
        this.keys = SshKeys.cleaned(config.userSshKeys());
        this.out = new StringBuilder(input.roughSize());
    }

    String document() {
        if (!ContainerLinuxConfig.readsBackAsGiven(input, keys)) {
            new ContainerLinuxConfig(input, keys).refuseIfUnreadable();
        }
        new IgnitionCheck(input, keys).refuseIfIllegal();
        out.append(
                "{\"ignition\":{\"config\":{},\"security\":{\"tls\":{}},\"timeouts\":{},\"version\":\"2.3.0\"},\"networkd\":{}");
        passwd();
        files();
        units();
        return out.append('}').toString();
    }

    private void passwd() {
        out.append(",\"passwd\":{");
        if (!keys.isEmpty()) {
            out.append("\"users\":[{\"name\":\"core\",\"sshAuthorizedKeys\":[");
            for (int i = 0; i < keys.size(); i++) {
                out.append(i == 0 ? "" : ",");
                string(keys.get(i));
            }
            out.append("]}]");
        }
        out.append('}');
    }

    private void files() {
        out.append(",\"storage\":{");
        int start = out.length();
        if (input.namesTheMachine()) {
            file("/etc/machine-name", UserData.MACHINE_NAME, 0600);
        }
        for (File file : config.files()) {
            out.append(out.length() == start ? "" : ",");
            file(file.path(), clipped(file.data()), Permissions.ignitionMode(file.permissions()));
        }
        if (out.length() > start) {
            out.insert(start, "\"files\":[").append(']');
        }
        out.append('}');
    }

    private void file(String path, String content, int mode) {
        out.append("{\"filesystem\":\"root\",\"path\":");
        string(path);
        out.append(",\"contents\":{\"source\":\"data:,");
        PercentEncoding.DATA_URL.append(out, content);
        out.append("\",\"verification\":{}},\"mode\":").append(mode).append('}');
    }

    private void units() {
        out.append(",\"systemd\":{");
        List<SystemdUnit> units = config.units();
        for (int i = 0; i < units.size(); i++) {
            out.append(i == 0 ? "\"units\":[" : ",");
            unit(units.get(i));
        }
        out.append(units.isEmpty() ? "}" : "]}");
    }

    private void unit(SystemdUnit unit) {
        out.append('{');
        contents(clipped(unit.content() == null ? "" : unit.content()));
        List<SystemdUnit.DropIn> dropIns = unit.dropIns();
        for (int i = 0; i < dropIns.size(); i++) {
            out.append(i == 0 ? "\"dropins\":[{" : ",{");
            contents(clipped(dropIns.get(i).content()));
            out.append("\"name\":");
            string(dropIns.get(i).name());
            out.append(i + 1 == dropIns.size() ? "}]," : "}");
        }
        out.append("\"enabled\":").append(Boolean.TRUE.equals(unit.enable()));
        out.append(Boolean.TRUE.equals(unit.mask()) ? ",\"mask\":true,\"name\":" : ",\"name\":");
        string(unit.name());
        out.append('}');
    }

    private void contents(String contents) {
        if (!contents.isEmpty()) {
            out.append("\"contents\":");
            string(contents);
            out.append(',');
        }
    }

    /** The text as the conversion leaves it: LF ends each line, one of them the text; a text of blanks and empty lines is empty. */
    static String clipped(String text) {
        String lines = text.indexOf('\r') < 0 ? text : (text + "\n").replace("\r\n", "\n");
        int end = lines.length();
        while (end > 0 && lines.charAt(end - 1) == '\n') {
            end--;
        }
        int blanks = 0;
        while (blanks < end && (lines.charAt(blanks) == ' ' || lines.charAt(blanks) == '\n')) {
            blanks++;
        }
        if (blanks == end) {
            return "";
        }
        return end + 1 == lines.length() ? lines : lines.substring(0, end) + "\n";
    }

    /** Appends a JSON string as Go's encoder writes it, which escapes what HTML could trip over. */
    private void string(String text) {
        out.append('"');
        int from = 0;
        for (int i = 0; i < text.length(); i++) {
            String escape = escape(text.charAt(i));
            if (escape != null) {
                out.append(text, from, i).append(escape);
                from = i + 1;
            }
        }
        out.append(text, from, text.length()).append('"');
    }

    private static @Nullable String escape(char c) {
        return switch (c) {
            case '"' -> "\\\"";
            case '\\' -> "\\\\";
            case '\n' -> "\\n";
            case '\r' -> "\\r";
            case '\t' -> "\\t";
            case '\b' -> "\\b";
            case '\f' -> "\\f";
            case '<' -> "\\u003c";
            case '>' -> "\\u003e";
            case '&' -> "\\u0026";
            case 0x2028 -> "\\u2028";
            case 0x2029 -> "\\u2029";
            default -> c < ' ' ? (c < 0x10 ? "\\u000" : "\\u00") + Integer.toHexString(c) : null;
        };
    }
}
