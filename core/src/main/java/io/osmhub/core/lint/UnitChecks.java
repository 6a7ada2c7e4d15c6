package io.osmhub.core.lint;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.lint.FindingCollector.Excerpt;
import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.lint.ProfileSourceMap.ConfigName;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.problem.MessageFormatter;
import io.osmhub.core.template.SpellingSuggestion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Checks the parts of a profile that are copied unchanged: systemd units and cloud-init modules. */
final class UnitChecks {
    private static final Pattern ACTION = Pattern.compile("\\{\\{[^{}\\n]*}}");

    private final ProfileSourceMap source;
    private final ScriptChecker scripts;
    private final FindingCollector findings;

    UnitChecks(ProfileSourceMap source, ScriptChecker scripts, FindingCollector findings) {
        this.source = source;
        this.scripts = scripts;
        this.findings = findings;
    }

    void run() {
        for (ConfigName config : ConfigName.values()) {
            List<SystemdUnit> units = source.config(config).units();
            for (int i = 0; i < units.size(); i++) {
                unit(config.field() + ".units[" + i + "]", units.get(i));
            }
            CloudInitModules modules = source.config(config).modules();
            if (modules != null) {
                commands(config.field() + ".modules.bootcmd", modules.bootcmd());
                commands(config.field() + ".modules.runcmd", modules.runcmd());
            }
        }
    }

    private void unit(String field, SystemdUnit unit) {
        if (!UnitSyntaxParser.isUnitName(unit.name())) {
            findings.error(
                    LintRule.UNIT_NAME,
                    source.positionOf(field + ".name"),
                    label(field, unit.name()),
                    "the unit's name does not end in a unit type",
                    "end it in .service, for example");
        }
        String content = unit.content() == null ? "" : unit.content();
        boolean enabled = Boolean.TRUE.equals(unit.enable());
        String path = SystemdUnit.FOLDER + unit.name();
        if (lines(field + ".content", label(field, unit.name()), path, content).isInstallMissing() && enabled) {
            findings.error(
                    LintRule.UNIT_INSTALL,
                    source.positionOf(field + ".enable"),
                    label(field, unit.name()),
                    "the unit is enabled, but has no section [Install], so it is never started",
                    "add [Install] with WantedBy=multi-user.target, or do not enable it");
        }
        for (int i = 0; i < unit.dropIns().size(); i++) {
            SystemdUnit.DropIn dropIn = unit.dropIns().get(i);
            String base = field + ".dropIns[" + i + "]";
            if (!dropIn.name().endsWith(".conf")) {
                findings.error(
                        LintRule.UNIT_NAME,
                        source.positionOf(base + ".name"),
                        label(base, dropIn.name()),
                        "systemd reads only drop-ins whose name ends in .conf",
                        "end the name in .conf");
            }
            lines(base + ".content", label(base, dropIn.name()), path, dropIn.content());
        }
    }

    private UnitSyntaxParser.ParseResult lines(String field, String label, String path, String content) {
        UnitSyntaxParser.ParseResult reading = UnitSyntaxParser.readUnit(content);
        for (UnitSyntaxParser.UnitSyntaxError fault : reading.faults()) {
            findings.add(new LintFinding(
                    LintSeverity.ERROR,
                    LintRule.UNIT_SYNTAX,
                    source.positionIn(field, fault.line(), 0),
                    label,
                    new SourcePosition(fault.line(), 0),
                    fault.message(),
                    fault.cure(),
                    null));
        }
        actions(field, label, content, "units");
        removedOptions(field, label, path, content);
        return reading;
    }

    /** Units and commands are the same in all versions, so the newest one decides. */
    private void removedOptions(String field, String label, String path, String text) {
        List<String> versions =
                KubernetesVersions.matching(source.profile().spec().supportedKubernetesVersions());
        for (RemovedOptions.Use use : RemovedOptions.find(path, text)) {
            if (use.option().isGoneIn(versions.isEmpty() ? "" : versions.getLast())) {
                findings.add(new LintFinding(
                        use.option().severity(),
                        LintRule.REMOVED_OPTION,
                        source.positionIn(field, use.line(), 0),
                        label,
                        new SourcePosition(use.line(), 0),
                        use.option().what(),
                        use.option().cure(),
                        null));
            }
        }
    }

    private void commands(String field, List<String> commands) {
        for (int i = 0; i < commands.size(); i++) {
            String item = field + "[" + i + "]";
            String command = commands.get(i);
            actions(item, item, command, "modules");
            removedOptions(item, item, "", command);
            if (command.contains("\r\n")) {
                findings.error(
                        LintRule.SHELL_SYNTAX,
                        source.positionOf(item),
                        item,
                        "line ends are CR LF, and the shell reads CR as part of a word",
                        "convert them to LF");
            }
            // cloud-init parses a text in brackets as a list, and no shell runs it.
            if (!command.startsWith("[")) {
                for (ScriptChecker.ScriptError fault : scripts.check(ScriptChecker.Dialect.POSIX, command)) {
                    findings.error(
                            LintRule.SHELL_SYNTAX, source.positionIn(item, fault.line(), 0), item, fault.message(), "");
                }
            }
        }
    }

    private void actions(String field, String label, String text, String what) {
        int number = 0;
        for (String line : text.lines().toList()) {
            number++;
            Matcher action = ACTION.matcher(line);
            if (line.contains("{{") && !findings.isFull() && action.find()) {
                findings.add(new LintFinding(
                        LintSeverity.INFO,
                        LintRule.TEMPLATE_NOT_RENDERED,
                        source.positionIn(field, number, action.start() + 1),
                        label,
                        new SourcePosition(number, action.start() + 1),
                        Excerpt.of(action.group()) + " is copied unchanged, " + what + " are not templates",
                        "move it into a file",
                        null));
            }
        }
    }

    private static String label(String field, String name) {
        return field + " (" + name + ")";
    }

    /** Parses systemd units, drop-ins and other files of systemd's syntax line by line, as in systemd.syntax(7). */
    static final class UnitSyntaxParser {
        /** Unit types by file name suffix. */
        private static final Set<String> UNIT_TYPES = Set.of(
                "service",
                "socket",
                "device",
                "mount",
                "automount",
                "swap",
                "target",
                "path",
                "timer",
                "slice",
                "scope");

        private static final List<String> SECTIONS = List.of(
                "Unit",
                "Install",
                "Service",
                "Socket",
                "Mount",
                "Automount",
                "Swap",
                "Path",
                "Timer",
                "Slice",
                "Scope");

        private static final List<String> DIRECTORIES = List.of(
                "/etc/systemd/", "/run/systemd/", "/lib/systemd/", "/usr/lib/systemd/", "/usr/local/lib/systemd/");

        /** Files in systemd's directories that are not units but have the same syntax. */
        private static final Set<String> OTHER_TYPES = Set.of("conf", "network", "netdev", "link", "nspawn");

        /** Errors listed of one text. */
        static final int MOST_ERRORS = 20;

        static final String MORE = "more errors follow, which are not listed";

        /** An invalid line; {@code line} counts from 1. */
        record UnitSyntaxError(int line, String message, String cure) {}

        /** {@code isInstallMissing}: it has settings, and none is in a section {@code [Install]}. */
        record ParseResult(List<UnitSyntaxError> faults, boolean isInstallMissing) {}

        private final boolean unit;
        private final List<UnitSyntaxError> faults = new ArrayList<>();
        private @Nullable String section;
        private boolean hasSettings;
        private boolean hasInstall;

        private UnitSyntaxParser(boolean unit) {
            this.unit = unit;
        }

        /** Whether systemd reads a file with this path. */
        static boolean appliesTo(String path) {
            String type = type(path);
            return DIRECTORIES.stream().anyMatch(path::startsWith)
                    && (UNIT_TYPES.contains(type) || OTHER_TYPES.contains(type));
        }

        static boolean isUnitName(String name) {
            return UNIT_TYPES.contains(type(name));
        }

        private static String type(String name) {
            int dot = name.lastIndexOf('.');
            return dot > name.lastIndexOf('/') + 1 ? name.substring(dot + 1) : "";
        }

        /** Parses a file at a path below systemd's directories. */
        static ParseResult readFile(String path, String text) {
            int directory = path.lastIndexOf('/');
            boolean dropIn = path.endsWith(".conf")
                    && path.startsWith(".d", directory - 2)
                    && isUnitName(path.substring(0, Math.max(0, directory - 2)));
            return new UnitSyntaxParser(dropIn || isUnitName(path)).read(text);
        }

        /** Parses a unit or its drop-in. */
        static ParseResult readUnit(String text) {
            return new UnitSyntaxParser(true).read(text);
        }

        private ParseResult read(String text) {
            boolean continued = false;
            int number = 0;
            for (String raw : text.lines().toList()) {
                number++;
                String line = raw.strip();
                boolean comment = line.startsWith("#") || line.startsWith(";");
                if (continued) {
                    // A comment between the lines of a setting does not end the setting.
                    continued = comment || line.endsWith("\\");
                } else if (!line.isEmpty() && !comment) {
                    statement(number, line);
                    continued = line.endsWith("\\");
                }
            }
            return new ParseResult(List.copyOf(faults), hasSettings && !hasInstall);
        }

        private void statement(int number, String line) {
            if (line.startsWith("[")) {
                header(number, line);
                return;
            }
            int equals = line.indexOf('=');
            if (equals < 0) {
                add(number, "is neither a section nor a setting", "write [Section] or Name=value");
            } else if (equals == 0) {
                add(number, "has no name before the =", "write Name=value");
            } else if (section == null) {
                add(number, "setting outside of a section", "begin with a section, for example [Unit]");
            } else {
                hasSettings = true;
                hasInstall |= section.equals("Install");
            }
        }

        private void header(int number, String line) {
            section = line.endsWith("]") ? line.substring(1, line.length() - 1) : line.substring(1);
            if (!line.endsWith("]")) {
                add(number, "unterminated section name", "close it with ]");
            } else if (unit && !SECTIONS.contains(section) && !section.startsWith("X-")) {
                String cure = SpellingSuggestion.findClosest(section, SECTIONS)
                        .map(near -> "did you mean [" + near + "]?")
                        .orElse("known sections: " + String.join(", ", SECTIONS));
                add(number, "unknown section [" + MessageFormatter.quote(section) + "], ignored by systemd", cure);
            }
        }

        private void add(int line, String message, String cure) {
            if (faults.size() < MOST_ERRORS) {
                faults.add(new UnitSyntaxError(line, message, cure));
            } else if (faults.size() == MOST_ERRORS) {
                faults.add(new UnitSyntaxError(line, MORE, "correct the errors above first"));
            }
        }
    }
}
