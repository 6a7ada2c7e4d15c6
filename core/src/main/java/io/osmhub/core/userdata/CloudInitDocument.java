package io.osmhub.core.userdata;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.re2j.Pattern;
import io.osmhub.core.emit.TextSyntaxException;
import io.osmhub.core.emit.yaml.YamlParser;
import io.osmhub.core.golang.ExecutionEnvironment.LimitExceededException;
import io.osmhub.core.golang.GoValue.GoString;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.OperatingSystemConfig.File;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.userdata.UserDataGenerator.UserDataInput;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.snakeyaml.engine.v2.nodes.ScalarNode;
import org.snakeyaml.engine.v2.nodes.SequenceNode;

/**
 * The cloud-config document. Blanks, empty lines and the missing final line break are those of OSM (pkg/generator in
 * operating-system-manager), which fills a text template; nodes and tools compare bytes.
 */
final class CloudInitDocument {
    /** Blanks around a command are lost, which does not affect a shell. */
    private static final Pattern BLANKS_AROUND = Pattern.compile("^ +|[ \\n]+\\z");

    private final UserDataInput input;
    private final StringBuilder out = new StringBuilder(1 << 14);

    CloudInitDocument(UserDataInput input) {
        this.input = input;
    }

    String generateText() {
        // The placeholder is not replaced for an edge machine: the script fetches this document unchanged.
        String machine =
                input.cloudProvider().equals("edge") ? input.machineDeploymentName() : UserDataGenerator.MACHINE_NAME;
        out.append("#cloud-config");
        if (input.setsHostname()) {
            out.append("\nhostname: ");
            scalar(machine, YamlScalarQuoting.isPlain(machine) && YamlScalarQuoting.isString(machine));
        }
        out.append("\n\n");
        if (input.distUpgradeOnBoot()) {
            out.append("package_upgrade: true\npackage_reboot_if_required: true\n");
        }
        out.append("ssh_pwauth: false\n\nssh_authorized_keys:\n");
        for (String key : UserDataGenerator.normalizeKeys(input.config().userSshKeys())) {
            out.append("- ");
            YamlScalarQuoting.quote(out, key);
            out.append('\n');
        }
        files(machine);
        units();
        CloudInitModules modules = input.config().modules();
        if (modules != null) {
            modules(modules);
        }
        return out.toString();
    }

    private void files(String machine) {
        out.append("write_files:");
        for (File file : input.config().files()) {
            out.append("\n- path: ");
            YamlScalarQuoting.quote(out, file.path());
            out.append("\n  permissions: '").append(permissions(file)).append('\'');
            if (!file.encoding().isEmpty()) {
                out.append("\n  encoding: ");
                YamlScalarQuoting.quote(out, file.encoding());
            }
            if (file.encoding().equals("b64")) {
                out.append("\n  content: |-\n    ");
                out.append(Base64.getEncoder().encodeToString(file.data().getBytes(UTF_8)));
            } else {
                block("\n  content: ", "|-", 4, file.data());
            }
            out.append('\n');
        }
        if (input.setsHostname()) {
            out.append("\n- path: /etc/machine-name\n  permissions: '0600'\n  content: |-\n        ")
                    .append(machine)
                    .append('\n');
        }
    }

    /** As in OSM, a zero precedes exactly three characters, even if they are not digits. */
    static String permissions(File file) {
        String text = Integer.toString(file.permissions());
        return text.length() == 3 ? "0" + text : text;
    }

    private void units() {
        List<SystemdUnit> units = input.config().units();
        if (units.isEmpty()) {
            return;
        }
        if (input.config().files().isEmpty() && !input.setsHostname()) {
            out.append('\n');
        }
        out.append("coreos:\n  units:");
        for (SystemdUnit unit : units) {
            boolean enable = Boolean.TRUE.equals(unit.enable());
            String content = unit.content() == null ? "" : unit.content();
            out.append("\n  - name: ");
            YamlScalarQuoting.doubleQuote(out, unit.name());
            out.append("\n    enable: ").append(enable).append("\n    ").append(enable ? "command: start" : "");
            out.append("\n    mask: ").append(Boolean.TRUE.equals(unit.mask())).append('\n');
            if (!content.isEmpty()) {
                block("\n    content: ", "|", 6, content);
            }
            out.append('\n');
            if (!unit.dropIns().isEmpty()) {
                out.append("\n    drop_ins:");
            }
            for (SystemdUnit.DropIn dropIn : unit.dropIns()) {
                out.append("\n      - name: ");
                YamlScalarQuoting.doubleQuote(out, dropIn.name());
                block("\n        content: ", "|", 10, dropIn.content());
            }
        }
    }

    private void modules(CloudInitModules modules) {
        commands("bootcmd", modules.bootcmd());
        commands("runcmd", modules.runcmd());
        if (!modules.rhSubscription().isEmpty()) {
            out.append("\nrh_subscription:");
            settings("\n    ", modules.rhSubscription());
            out.append('\n');
        }
        if (!modules.yumRepos().isEmpty()) {
            out.append("\nyum_repos:");
            for (String repository : sorted(modules.yumRepos().keySet())) {
                key("\n    ", repository);
                settings("\n       ", modules.yumRepos().getOrDefault(repository, Map.of()));
            }
            out.append('\n');
        }
        if (!modules.yumRepoDir().isEmpty()) {
            out.append("\nyum_repo_dir: ");
            setting(modules.yumRepoDir());
        }
    }

    private void commands(String module, List<String> commands) {
        if (commands.isEmpty()) {
            return;
        }
        out.append('\n').append(module).append(':');
        for (String command : commands) {
            out.append("\n- ");
            scalar(command, canStayUnquoted(command));
        }
        out.append('\n');
    }

    private void settings(String indentation, Map<String, String> settings) {
        for (String name : sorted(settings.keySet())) {
            key(indentation, name);
            out.append(' ');
            setting(settings.getOrDefault(name, ""));
        }
    }

    private void key(String indentation, String name) {
        out.append(indentation);
        scalar(name, YamlScalarQuoting.isPlain(name) && YamlScalarQuoting.isString(name));
        out.append(':');
    }

    /**
     * A value of the modules that cloud-init itself parses. Booleans and the empty value stay plain, as it requires ({@code
     * auto-attach}, {@code gpgcheck}); any other must be read back as the same text.
     */
    private void setting(String value) {
        boolean bare = value.isEmpty()
                || YamlScalarQuoting.isPlain(value)
                        && (YamlScalarQuoting.isBoolean(value)
                                || YamlScalarQuoting.isString(value)
                                || YamlScalarQuoting.isCanonicalNumber(value));
        scalar(value, bare);
    }

    private void scalar(String text, boolean bare) {
        if (bare) {
            out.append(text);
        } else {
            YamlScalarQuoting.doubleQuote(out, text);
        }
    }

    /** The text as a literal block behind {@code key}, indented by {@code depth}. */
    private void block(String key, String header, int depth, String text) {
        out.append(key);
        if (!YamlScalarQuoting.isSafeInBlock(text)) {
            YamlScalarQuoting.doubleQuote(out, text);
            return;
        }
        String lineStart = "\n" + " ".repeat(depth);
        out.append(header);
        int from = 0;
        for (int end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n', from)) {
            out.append(lineStart).append(text, from, end);
            from = end + 1;
        }
        out.append(lineStart).append(text, from, text.length());
    }

    private static List<String> sorted(Set<String> names) {
        return names.stream().sorted(Comparator.comparing(GoString::bytes)).toList();
    }

    /**
     * Whether a command of {@code bootcmd} or {@code runcmd} is written plain. OSM writes all plain, so that profiles may use YAML in
     * them, for example a list {@code [ sh, -c, "..." ]}. A command stays plain if it is read back unchanged or is YAML other than a
     * plain scalar; a plain scalar that the reader would cut, fold or parse as a number is quoted.
     */
    private static boolean canStayUnquoted(String command) {
        // cloud-init reads an empty command as null and ignores it.
        if (command.isEmpty() || YamlScalarQuoting.isPlain(command) && YamlScalarQuoting.isString(command)) {
            return true;
        }
        String line = BLANKS_AROUND.matcher(command).replaceAll("");
        return YamlScalarQuoting.isPlain(line) ? YamlScalarQuoting.isString(line) : isOtherYaml(command);
    }

    private static boolean isOtherYaml(String command) {
        // cloud-init ignores tags and anchors; its reader accepts a tab only inside quotes and blocks.
        char first = command.charAt(0);
        boolean tabAllowed = "\"'|>[{".indexOf(first) >= 0;
        boolean emptyBlock = "|>".indexOf(first) >= 0 && command.indexOf('\n') < 0;
        if ("!&*".indexOf(first) >= 0
                || emptyBlock
                || !tabAllowed && command.indexOf('\t') >= 0
                || !command.chars().allMatch(c -> c == '\n' || YamlScalarQuoting.isPrintable((char) c))) {
            return false;
        }
        try {
            return YamlParser.parseDocument("- " + command + "\n") instanceof SequenceNode list
                    && list.getValue().size() == 1
                    && !(list.getValue().getFirst() instanceof ScalarNode scalar && scalar.isPlain());
        } catch (TextSyntaxException | LimitExceededException notYaml) {
            return false;
        }
    }
}
