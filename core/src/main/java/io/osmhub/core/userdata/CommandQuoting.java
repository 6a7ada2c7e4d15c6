package io.osmhub.core.userdata;

import io.osmhub.core.emit.yaml.YamlDecoder;
import io.osmhub.core.emit.yaml.YamlNode;
import io.osmhub.core.golang.GoCallException;
import io.osmhub.core.golang.GoString;

/**
 * Quotes commands of {@code bootcmd} and {@code runcmd}. OSM writes them plain, so that profiles may use YAML in them, for example
 * a list {@code [ sh, -c, "..." ]}. A command is written plain if it is read back unchanged or is YAML other than a plain scalar; a
 * plain scalar that the reader would cut, fold or parse as a number is quoted.
 */
final class CommandQuoting {
    private CommandQuoting() {}

    static boolean canStayUnquoted(String command) {
        // cloud-init reads an empty command as null and ignores it.
        if (command.isEmpty() || YamlScalarQuoting.isPlain(command) && YamlScalarQuoting.isString(command)) {
            return true;
        }
        // Blanks around a command are lost, which does not affect a shell.
        String line = trim(command);
        if (YamlScalarQuoting.isPlain(line)) {
            return YamlScalarQuoting.isString(line);
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
        // cloud-init ignores tags and anchors; its reader accepts a tab only inside quotes and blocks.
        char first = command.charAt(0);
        boolean tabAllowed = "\"'|>[{".indexOf(first) >= 0;
        boolean emptyBlock = "|>".indexOf(first) >= 0 && command.indexOf('\n') < 0;
        if ("!&*".indexOf(first) >= 0 || emptyBlock || !tabAllowed && command.indexOf('\t') >= 0) {
            return false;
        }
        for (int i = 0; i < command.length(); i++) {
            if (!YamlScalarQuoting.isPrintable(command.charAt(i)) && command.charAt(i) != '\n') {
                return false;
            }
        }
        try {
            return YamlDecoder.parse(GoString.bytes("- " + command + "\n")) instanceof YamlNode.Sequence list
                    && list.items().size() == 1
                    && !(list.items().get(0) instanceof YamlNode.Scalar scalar
                            && scalar.style() == YamlNode.Style.PLAIN);
        } catch (GoCallException notYaml) {
            return false;
        }
    }
}
