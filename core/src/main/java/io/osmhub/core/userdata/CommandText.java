package io.osmhub.core.userdata;

import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.emit.yaml.YamlNode;
import io.osmhub.core.golang.CallFailure;
import io.osmhub.core.golang.Str;

/**
 * Commands of {@code bootcmd} and {@code runcmd}. The peer writes them bare, so that profiles may hold YAML there, a list
 * {@code [ sh, -c, "..." ]} for one. So a command stands bare if it is read back as it is, or is YAML of another kind than a plain
 * scalar; a plain scalar that the reader would cut, fold or take for a number has to be quoted.
 */
final class CommandText {
    private CommandText() {}

    static boolean stands(String command) {
        // An empty command is null to cloud-init, which skips it.
        if (command.isEmpty() || YamlScalar.isPlain(command) && YamlScalar.isString(command)) {
            return true;
        }
        // Blanks around a command are lost, which no shell minds.
        String line = trim(command);
        if (YamlScalar.isPlain(line)) {
            return YamlScalar.isString(line);
        }
        return isOtherYaml(command);
    }

    private static String trim(String command) {
        int start = 0;
        int end = command.length();
        while (start < end && command.charAt(start) == ' ') {
            start++;
        }
        while (end > start && (command.charAt(end - 1) == ' ' || command.charAt(end - 1) == '\n')) {
            end--;
        }
        return command.substring(start, end);
    }

    private static boolean isOtherYaml(String command) {
        // Tags and anchors mean nothing to cloud-init; its reader takes a tab inside of quotes and blocks only.
        char first = command.charAt(0);
        boolean tabAllowed = "\"'|>[{".indexOf(first) >= 0;
        boolean emptyBlock = "|>".indexOf(first) >= 0 && command.indexOf('\n') < 0;
        if ("!&*".indexOf(first) >= 0 || emptyBlock || !tabAllowed && command.indexOf('\t') >= 0) {
            return false;
        }
        for (int i = 0; i < command.length(); i++) {
            if (!YamlScalar.isPrintable(command.charAt(i)) && command.charAt(i) != '\n') {
                return false;
            }
        }
        try {
            return YamlDecoder.parse(Str.bytes("- " + command + "\n")) instanceof YamlNode.Sequence list
                    && list.items().size() == 1
                    && !(list.items().get(0) instanceof YamlNode.Scalar scalar
                            && scalar.style() == YamlNode.Style.PLAIN);
        } catch (CallFailure notYaml) {
            return false;
        }
    }
}
