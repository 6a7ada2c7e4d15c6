package io.osmhub.core.lint;

import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.emit.NestingTracker;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.UnitChecks.UnitSyntaxParser;
import io.osmhub.core.problem.MessageFormatter;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The cloud-config keys that cloud-init 24 accepts, and the types of those that profiles use. cloud-init itself only logs a warning
 * on the machine and ignores unknown keys.
 */
final class CloudConfigValidator {
    private static final String HEADER = "#cloud-config";

    /** One error; {@code path} is the key, with the keys and indexes below it. */
    record CloudConfigError(LintSeverity severity, String path, String what, String cure) {}

    private enum Kind {
        TEXT("a text"),
        FLAG("true or false"),
        TEXTS("a list of texts"),
        COMMANDS("a list of texts or lists"),
        LIST("a list"),
        MAPPING("a mapping");

        private final String description;

        Kind(String description) {
            this.description = description;
        }
    }

    /** Keys whose type is checked. */
    private static final Map<String, Kind> TYPED = Map.ofEntries(
            Map.entry("bootcmd", Kind.COMMANDS),
            Map.entry("runcmd", Kind.COMMANDS),
            Map.entry("hostname", Kind.TEXT),
            Map.entry("fqdn", Kind.TEXT),
            Map.entry("package_upgrade", Kind.FLAG),
            Map.entry("package_update", Kind.FLAG),
            Map.entry("package_reboot_if_required", Kind.FLAG),
            Map.entry("preserve_hostname", Kind.FLAG),
            Map.entry("ssh_authorized_keys", Kind.TEXTS),
            Map.entry("rh_subscription", Kind.MAPPING),
            Map.entry("write_files", Kind.LIST),
            Map.entry("yum_repo_dir", Kind.TEXT),
            Map.entry("yum_repos", Kind.MAPPING),
            Map.entry("coreos", Kind.MAPPING));

    /** Other valid keys; not checked further. */
    private static final Set<String> OTHERS = Set.of("""
            allow_public_ssh_keys ansible apk_repos apt apt_pipelining apt_reboot_if_required apt_update apt_upgrade
            authkey_hash autoinstall byobu_by_default ca-certs ca_certs chef chpasswd cloud_config_modules
            cloud_final_modules cloud_init_modules create_hostname_file datasource datasource_list debug
            device_aliases disable_ec2_metadata disable_root disable_root_opts disk_setup drivers fan final_message
            fs_setup groups growpart grub-dpkg grub_dpkg keyboard landscape launch-index locale locale_configfile
            lxd manage_etc_hosts manage_resolv_conf mcollective merge_how merge_type mount_default_fields
            mounts network no_ssh_fingerprints ntp output packages password phone_home power_state
            prefer_fqdn_over_hostname puppet random_seed reporting resize_rootfs resolv_conf rpi rsyslog salt_minion
            snap spacewalk ssh ssh_deletekeys ssh_fp_console_blacklist ssh_genkeytypes ssh_import_id
            ssh_key_console_blacklist ssh_keys ssh_publish_hostkeys ssh_pwauth ssh_quiet_keygen swap system_info
            timezone ubuntu_advantage ubuntu_pro updates user users vendor_data version wireguard zypper""".split("\\s+"));

    private static final Set<String> SUBSCRIPTION = Set.of(
            "username",
            "password",
            "activation-key",
            "org",
            "auto-attach",
            "service-level",
            "add-pool",
            "enable-repo",
            "disable-repo",
            "release_version",
            "rhsm-baseurl",
            "server-hostname");

    private static final Set<String> FILE_KEYS =
            Set.of("path", "content", "owner", "permissions", "encoding", "append", "defer", "source");

    private static final Set<String> ENCODINGS =
            Set.of("b64", "base64", "gz", "gzip", "gz+b64", "gz+base64", "gzip+b64", "gzip+base64", "text/plain");

    private static final Pattern MODE = Pattern.compile("[0-7]{1,5}");

    /** With these a line belongs to the key or item before it. */
    private static final String CONTINUES = " \n#";

    private static final List<String> OTHER_LINE_ENDS = List.of("\r", "\u0085", "\u2028", "\u2029");

    /** Begins a text of which YAML reads nothing but the indentation; {@code -} and {@code +} may follow. */
    private static final String LITERAL_CONTENT = "content: |";

    private final List<CloudConfigError> faults = new ArrayList<>();

    private CloudConfigValidator() {}

    static boolean isCloudConfig(String text) {
        return text.startsWith(HEADER)
                && (text.length() == HEADER.length() || Character.isWhitespace(text.charAt(HEADER.length())));
    }

    /** Checks a valid YAML document. */
    static List<CloudConfigError> check(String text) {
        CloudConfigValidator document = new CloudConfigValidator();
        for (SourceDocument part : YamlDocumentReader.read("user-data", text, "")) {
            if (part.root() instanceof DocumentNode.Fields fields) {
                fields.fields().forEach(field -> document.entry(field.name(), field.value()));
            } else {
                document.error("", "is not a mapping", "use keys and values");
            }
        }
        return document.faults;
    }

    /**
     * Documents of one key, or of one item of its list, that together are {@code text}: if all of them are right, so is the text.
     * Empty if it cannot be split before lines that begin with a key or an item. The parts are not read, so one may be invalid.
     * Content of files whose lines are right in any case is left out, so that the parts of most machines are equal.
     */
    static List<String> split(String text) {
        if (!isCloudConfig(text)
                || text.length() > NestingTracker.DOCUMENT_PARTS
                || OTHER_LINE_ENDS.stream().anyMatch(text::contains)) {
            return List.of();
        }
        List<String> parts = new ArrayList<>();
        Set<String> keys = new HashSet<>();
        String key = "";
        for (int start = 0, end = 0; end < text.length(); start = end) {
            do {
                int lineEnd = text.indexOf('\n', end);
                end = lineEnd < 0 ? text.length() : lineEnd + 1;
            } while (end < text.length() && CONTINUES.indexOf(text.charAt(end)) >= 0);
            String part = text.substring(start, end);
            if (Character.isLetter(part.charAt(0)) && part.indexOf(':') > 0) {
                key = part;
                if (!keys.add(part.substring(0, part.indexOf(':')).strip())) {
                    return List.of();
                }
                parts.add(HEADER + "\n" + withoutLiteralContent(part));
            } else if (part.startsWith("- ")) {
                parts.add(HEADER + "\n" + key + withoutLiteralContent(part));
            } else if (!part.replace("\n", "").equals(HEADER)) {
                return List.of();
            }
        }
        return parts;
    }

    /** Keeps the indentation of a file's content, of which YAML reads nothing else. */
    private static String withoutLiteralContent(String part) {
        StringBuilder kept = new StringBuilder();
        int keyIndent = -1; // of the key in the line before
        int contentIndent = 0; // of the content that is left out
        boolean open = false; // a quoted text or a collection may not be closed
        for (int from = 0, to; from < part.length(); from = to) {
            to = part.indexOf('\n', from) + 1;
            to = to == 0 ? part.length() : to;
            int indent = 0;
            while (from + indent < to && part.charAt(from + indent) == ' ') {
                indent++;
            }
            boolean empty = from + indent == to || part.charAt(from + indent) == '\n';
            boolean plain = (contentIndent > 0 || keyIndent >= 0) && isPlain(part, from + indent, to);
            if (contentIndent > 0 && plain && (empty || indent >= contentIndent)) {
                continue;
            }
            boolean begins = keyIndent >= 0 && plain && !empty && indent > keyIndent;
            contentIndent = begins ? indent : 0;
            if (begins) {
                keyIndent = -1;
                kept.append(part, from, from + indent).append("x\n");
            } else {
                String line = part.substring(from, to).stripTrailing();
                keyIndent = open ? -1 : indentOfLiteralContent(line);
                kept.append(part, from, to);
                open |= mayOpen(line);
            }
        }
        return kept.toString();
    }

    /** Where the key is that begins literal content in the next line; -1 if there is none. */
    private static int indentOfLiteralContent(String line) {
        int key = line.indexOf(LITERAL_CONTENT);
        if (key < 0 || !line.substring(0, key).replace("- ", "").isBlank()) {
            return -1;
        }
        String chomping = line.substring(key + LITERAL_CONTENT.length());
        return chomping.isEmpty() || chomping.equals("-") || chomping.equals("+") ? key : -1;
    }

    /** Whether the characters of a line are printable in ASCII. */
    private static boolean isPlain(String text, int from, int to) {
        for (int i = from; i < to; i++) {
            char character = text.charAt(i);
            if ((character < ' ' || character > '~') && character != '\n') {
                return false;
            }
        }
        return true;
    }

    private static boolean mayOpen(String line) {
        int single = 0;
        int twice = 0;
        for (int i = 0; i < line.length(); i++) {
            switch (line.charAt(i)) {
                case '\\', '[', '{' -> {
                    return true;
                }
                case '\'' -> single++;
                case '"' -> twice++;
                default -> {}
            }
        }
        return single % 2 == 1 || twice % 2 == 1;
    }

    private void entry(String key, DocumentNode value) {
        Kind kind = TYPED.get(key);
        if (kind == null) {
            RemovedOptions.RemovedOption removed = RemovedOptions.findCloudConfigKey(key);
            if (removed != null) {
                warn(key, removed.what(), removed.cure());
            } else if (!OTHERS.contains(key)) {
                warn(key, "unknown key, ignored by cloud-init", didYouMean(key, TYPED.keySet(), OTHERS));
            }
            return;
        }
        // A key without a value counts as missing.
        if (isNull(value) || !hasKind(key, value, kind)) {
            return;
        }
        if (value instanceof DocumentNode.Items items) {
            if (kind == Kind.COMMANDS) {
                commands(key, items);
            } else if (key.equals("write_files")) {
                files(items);
            }
        } else if (value instanceof DocumentNode.Fields fields) {
            if (key.equals("rh_subscription")) {
                subscription(fields);
            } else if (key.equals("yum_repos")) {
                repositories(fields);
            }
        }
    }

    private boolean hasKind(String path, DocumentNode value, Kind kind) {
        boolean right =
                switch (kind) {
                    case TEXT -> isText(value);
                    case FLAG -> value instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.BOOL;
                    case TEXTS ->
                        value instanceof DocumentNode.Items items
                                && items.nodes().stream().allMatch(CloudConfigValidator::isText);
                    case COMMANDS, LIST -> value instanceof DocumentNode.Items;
                    case MAPPING -> value instanceof DocumentNode.Fields;
                };
        if (!right) {
            error(path, "must be " + kind.description + ", not " + value.describe(), "");
        }
        return right;
    }

    private static boolean isText(DocumentNode node) {
        return node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.TEXT;
    }

    private static boolean isNull(@Nullable DocumentNode node) {
        return node == null || node instanceof DocumentNode.Scalar scalar && scalar.kind() == DocumentNode.Kind.NULL;
    }

    private void commands(String key, DocumentNode.Items commands) {
        for (int i = 0; i < commands.nodes().size(); i++) {
            DocumentNode command = commands.nodes().get(i);
            if (!(command instanceof DocumentNode.Items) && !isText(command) && !isNull(command)) {
                error(
                        key + "[" + i + "]",
                        "cloud-init parses this command as " + command.describe() + " and rejects the whole list",
                        "make it a YAML string with another pair of quotes");
            }
        }
    }

    private void files(DocumentNode.Items files) {
        for (int i = 0; i < files.nodes().size(); i++) {
            String path = "write_files[" + i + "]";
            if (files.nodes().get(i) instanceof DocumentNode.Fields file) {
                file(path, file);
            } else {
                error(path, "must be a mapping", "");
            }
        }
    }

    private void file(String path, DocumentNode.Fields file) {
        for (DocumentNode.Field field : file.fields()) {
            if (!FILE_KEYS.contains(field.name())) {
                warn(
                        path + "." + field.name(),
                        "unknown key, ignored by cloud-init",
                        didYouMean(field.name(), FILE_KEYS, Set.of()));
            }
        }
        if (!(file.get("path") instanceof DocumentNode.Scalar target)
                || !target.text().startsWith("/")) {
            error(path + ".path", "must be an absolute path", "");
        }
        if (file.get("content") != null && !(file.get("content") instanceof DocumentNode.Scalar)) {
            error(path + ".content", "must be a string", "");
        }
        if (file.get("permissions") instanceof DocumentNode.Scalar mode
                && !MODE.matcher(mode.text()).matches()) {
            error(path + ".permissions", mode.text() + " is not an octal mode", "write for example '0644'");
        } else if (file.get("permissions") instanceof DocumentNode.Scalar mode
                && mode.kind() == DocumentNode.Kind.INTEGER
                && FileMode.isMisread(Integer.parseInt(mode.text()))) {
            error(
                    path + ".permissions",
                    "cloud-init reads the number " + mode.text() + " as mode "
                            + FileMode.octal(Integer.parseInt(mode.text())),
                    "write '0" + mode.text() + "' in quotes");
        }
        if (file.get("encoding") instanceof DocumentNode.Scalar encoding && !ENCODINGS.contains(encoding.text())) {
            error(path + ".encoding", "unknown cloud-init encoding " + encoding.text(), "use b64 or leave it out");
        }
    }

    private void subscription(DocumentNode.Fields subscription) {
        for (DocumentNode.Field field : subscription.fields()) {
            if (!SUBSCRIPTION.contains(field.name())) {
                warn(
                        "rh_subscription[" + field.name() + "]",
                        "unknown key, cloud-init ignores the subscription",
                        didYouMean(field.name(), SUBSCRIPTION, Set.of()));
            }
        }
    }

    private void repositories(DocumentNode.Fields repositories) {
        for (DocumentNode.Field repository : repositories.fields()) {
            boolean located = repository.value() instanceof DocumentNode.Fields fields
                    && (fields.get("baseurl") != null
                            || fields.get("metalink") != null
                            || fields.get("mirrorlist") != null);
            if (!located) {
                add(
                        LintSeverity.INFO,
                        "yum_repos[" + repository.name() + "]",
                        "cloud-init ignores a repository without baseurl, metalink and mirrorlist",
                        "add one of them");
            }
        }
    }

    private static String didYouMean(String word, Set<String> known, Set<String> more) {
        Set<String> all = new TreeSet<>(known);
        all.addAll(more);
        return FindingsCollector.suggestClosest(word, all);
    }

    private void error(String path, String what, String cure) {
        add(LintSeverity.ERROR, path, what, cure);
    }

    private void warn(String path, String what, String cure) {
        add(LintSeverity.WARNING, path, what, cure);
    }

    private void add(LintSeverity severity, String path, String what, String cure) {
        if (faults.size() < UnitSyntaxParser.MOST_ERRORS) {
            faults.add(new CloudConfigError(
                    severity,
                    MessageFormatter.quote(path),
                    MessageFormatter.quote(what),
                    MessageFormatter.quote(cure)));
        } else if (faults.size() == UnitSyntaxParser.MOST_ERRORS) {
            faults.add(new CloudConfigError(severity, "", UnitSyntaxParser.MORE, "correct the errors above first"));
        }
    }
}
