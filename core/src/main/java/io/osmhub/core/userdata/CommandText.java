package io.osmhub.core.userdata;

import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Compose;
import org.snakeyaml.engine.v2.common.ScalarStyle;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;
import org.snakeyaml.engine.v2.nodes.Node;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * Commands of {@code bootcmd} and {@code runcmd}. The peer writes them bare, so that profiles may hold YAML there, a list
 * {@code [ sh, -c, "..." ]} for one. So a command stands bare if it is read back as it is, or is YAML of another kind than a plain
 * scalar; a plain scalar that the reader would cut, fold or take for a number has to be quoted.
 */
final class CommandText {
    private CommandText() {}

    static boolean stands(String command) {
        // An empty command is null to cloud-init, which skips it.
        if (command.isEmpty() || YamlText.isPlain(command) && YamlText.isString(command)) {
            return true;
        }
        // Blanks around a command are lost, which no shell minds.
        String line = trim(command);
        if (YamlText.isPlain(line)) {
            return YamlText.isString(line);
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
        // Tags and anchors mean nothing to cloud-init; a tab is taken inside of quotes and blocks only.
        char first = command.charAt(0);
        boolean tabAllowed = "\"'|>[{".indexOf(first) >= 0;
        if ("!&*".indexOf(first) >= 0 || !tabAllowed && command.indexOf('\t') >= 0) {
            return false;
        }
        for (int i = 0; i < command.length(); i++) {
            if (!YamlText.isPrintable(command.charAt(i)) && command.charAt(i) != '\n') {
                return false;
            }
        }
        Node root;
        try {
            root = new Compose(LoadSettings.builder().build())
                    .composeString("- " + command + "\n")
                    .orElse(null);
        } catch (YamlEngineException notYaml) {
            return false;
        }
        return root instanceof SequenceNode list
                && list.getValue().size() == 1
                && !(list.getValue().get(0) instanceof ScalarNode scalar
                        && scalar.getScalarStyle() == ScalarStyle.PLAIN);
    }
}
