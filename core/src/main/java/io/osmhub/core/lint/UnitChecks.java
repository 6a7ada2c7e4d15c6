package io.osmhub.core.lint;

import io.osmhub.core.document.SourcePosition;
import io.osmhub.core.lint.FindingCollector.Excerpt;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.ProfileSourceMap.ConfigName;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.SystemdUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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
        if (lines(field + ".content", label(field, unit.name()), content).isInstallMissing() && enabled) {
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
            lines(base + ".content", label(base, dropIn.name()), dropIn.content());
        }
    }

    private UnitSyntaxParser.ParseResult lines(String field, String label, String content) {
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
        return reading;
    }

    private void commands(String field, List<String> commands) {
        for (int i = 0; i < commands.size(); i++) {
            String item = field + "[" + i + "]";
            String command = commands.get(i);
            actions(item, item, command, "modules");
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
            if (action.find()) {
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
}
