package io.osmhub.core.lint;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.document.DocumentNode;
import io.osmhub.core.document.SourceDocument;
import io.osmhub.core.document.YamlDocumentReader;
import io.osmhub.core.lint.ContentChecks.ContentError;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Finds options in files of a machine that a later kubelet or cloud-init does not know. The table is {@code removed-options.tsv}; the
 * text is read by patterns in linear time.
 */
final class RemovedOptions {
    private static final String FLAG = "kubelet-flag";
    private static final String VALUE = "kubelet-value";
    private static final String GATE = "kubelet-feature-gate";
    private static final String CLOUD_INIT = "cloud-init-option";

    /** By kind and name. */
    static final Map<String, ContentError> TABLE = readTable();

    private static final String BLANKS = "(?:[ \\t\\r]|\\\\\\n)+";
    private static final Pattern OPTION = Pattern.compile(
            "(?:^|[\\s\"'`(=])(--[\\w-]+)(?:(?:=|" + BLANKS + ")([^\\s\"'`();|&\\\\-][^\\s\"'`();|&]*))?");

    /** Options before the subcommand, and behind it. */
    private static final Pattern BEFORE_SUBCOMMAND = Pattern.compile(
            "(?:^|[\\s/\"'(])cloud-init(?:" + BLANKS + "-[^\\s;|&]*)*?" + BLANKS + "(--file|-f)(?:[\\s=]|$)");

    private static final Pattern BEHIND_SUBCOMMAND =
            Pattern.compile("cloud-init" + BLANKS + "[^-\\s;|&\\\\][^;|&\\n]*[ \\t](--file|-f)[\\s=]");

    private static final Pattern MINOR = Pattern.compile("v?(\\d{1,4})\\.(\\d{1,4})(?:[.+-].*)?");

    /** Without comments. */
    private final String text;

    private final List<ContentError> found = new ArrayList<>();

    private RemovedOptions(String text) {
        this.text = Arrays.stream(text.split("\n", -1))
                .map(RemovedOptions::withoutComment)
                .collect(Collectors.joining("\n"));
    }

    /** A comment between the lines of a command does not end it. */
    private static String withoutComment(String line) {
        String shown = line.stripLeading();
        return shown.startsWith("#") || shown.startsWith(";") ? "\\" : line;
    }

    private static Map<String, ContentError> readTable() {
        Map<String, ContentError> table = new HashMap<>();
        for (String[] cells : LintResource.rows("removed-options.tsv")) {
            for (String name : cells[2].split(" ")) {
                LintRuleViolation violation =
                        LintRuleViolation.of("removed-option." + cells[0], name, cells[1], cells[3]);
                // An image's version of cloud-init is not known, unlike that of the kubelet.
                String since = cells[0].equals(CLOUD_INIT) ? "" : cells[1];
                ContentError error = new ContentError(violation, false, "", 0, 0, since);
                table.put(cells[0] + name, error);
                table.put(cells[0] + name.split("=", 2)[0], error);
            }
        }
        return Map.copyOf(table);
    }

    /** A version as a number that compares as {@code major.minor}; text that is not a version is older than all. */
    static int number(String version) {
        Matcher minor = MINOR.matcher(version);
        return minor.matches() ? Integer.parseInt(minor.group(1)) * 10_000 + Integer.parseInt(minor.group(2)) : 0;
    }

    /**
     * The options in a file, unit or command.
     *
     * @param path of the file; empty for a command
     */
    static List<ContentError> find(String path, String text) {
        boolean cloudInit = text.contains("cloud-init");
        if (!cloudInit && !text.contains("--") && !text.contains("featureGates")) {
            return List.of();
        }
        RemovedOptions options = new RemovedOptions(text);
        if (text.contains("kubelet.config.k8s.io/") && text.contains("KubeletConfiguration")) {
            options.gates(text);
        }
        // A script that tries both orders, or looks at the version, works with every version.
        boolean bothOrders =
                cloudInit && BEHIND_SUBCOMMAND.matcher(options.text).find();
        options.commands(path.contains("kubelet") && !text.startsWith("#!"), cloudInit && !bothOrders);
        return options.found;
    }

    private void gates(String configuration) {
        try {
            for (SourceDocument document : YamlDocumentReader.read("", configuration, Reason.UserDataUnreadable)) {
                if (document.find("featureGates") instanceof DocumentNode.Fields gates) {
                    gates.fields()
                            .forEach(gate ->
                                    addLine(GATE + gate.name(), gate.position().line()));
                }
            }
        } catch (TenantMistake e) {
            // Reported as invalid YAML.
            return;
        }
    }

    /** Few commands have an option. They are searched first: matching all would take a tenth of the time of rendering. */
    private void commands(boolean kubeletFile, boolean cloudInit) {
        for (int start = 0; start < text.length(); start++) {
            int end = commandEnd(start);
            String command = text.substring(start, end);
            if (command.contains("--")
                    && (kubeletFile || command.toLowerCase(Locale.ROOT).contains("kubelet"))) {
                kubelet(kubeletFile, start, command);
            }
            if (cloudInit && command.contains("cloud-init") && command.contains("-f")) {
                Matcher option = BEFORE_SUBCOMMAND.matcher(command);
                while (option.find()) {
                    add(CLOUD_INIT + option.group(1), start + option.start(1));
                }
            }
            start = end;
        }
    }

    private void kubelet(boolean kubeletFile, int start, String command) {
        int kubelet = kubeletFile ? 0 : command.toLowerCase(Locale.ROOT).indexOf("kubelet");
        Matcher option = OPTION.matcher(command);
        while (option.find()) {
            if (option.start(1) >= kubelet) {
                option(start, option);
            }
        }
    }

    /** A command continues behind a line break with a backslash. */
    private int commandEnd(int start) {
        int end = start;
        while (end < text.length() && ";|&\n".indexOf(text.charAt(end)) < 0) {
            end += text.charAt(end) == '\\' ? 2 : 1;
        }
        return Math.min(end, text.length());
    }

    private void option(int start, Matcher option) {
        // The kubelet reads underscores as dashes.
        String name = option.group(1).replace('_', '-');
        String value = option.group(2);
        add(FLAG + name, start + option.start(1));
        if (value == null) {
            return;
        }
        if (value.indexOf('$') < 0 && !TABLE.containsKey(VALUE + name + "=" + value)) {
            add(VALUE + name, start + option.start(2));
        }
        if (name.equals("--feature-gates")) {
            for (String gate : value.split(",")) {
                add(GATE + gate.split("=", 2)[0], start + option.start(2));
            }
        }
    }

    private void add(String key, int offset) {
        if (TABLE.containsKey(key) && found.size() < UserDataSchema.MOST_ERRORS) {
            addLine(key, text.substring(0, offset).split("\n", -1).length);
        }
    }

    private void addLine(String key, int line) {
        ContentError removed = TABLE.get(key);
        if (removed != null) {
            found.add(new ContentError(removed.violation(), false, "", line, 0, removed.since()));
        }
    }
}
