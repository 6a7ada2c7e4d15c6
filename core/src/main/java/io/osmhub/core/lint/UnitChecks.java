package io.osmhub.core.lint;

import io.osmhub.core.document.Position;
import io.osmhub.core.lint.ProfileSource.ConfigName;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.SystemdUnit;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Checks what of a profile is copied as it is: systemd units and cloud-init modules. */
final class UnitChecks {
    private static final Pattern ACTION = Pattern.compile("\\{\\{[^{}\\n]*}}");

    private final ProfileSource source;
    private final ScriptChecker scripts;
    private final Findings findings;

    UnitChecks(ProfileSource source, ScriptChecker scripts, Findings findings) {
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
        if (!UnitSyntax.isUnitName(unit.name())) {
            findings.error(
                    Rule.UNIT_NAME,
                    source.at(field + ".name"),
                    label(field, unit.name()),
                    "the unit's name does not end in a type of units",
                    "end it in .service, for example");
        }
        String content = unit.content() == null ? "" : unit.content();
        boolean enabled = Boolean.TRUE.equals(unit.enable());
        if (lines(field + ".content", label(field, unit.name()), content).lacksInstall() && enabled) {
            findings.error(
                    Rule.UNIT_INSTALL,
                    source.at(field + ".enable"),
                    label(field, unit.name()),
                    "the unit is enabled, but has no section [Install], so nothing starts it",
                    "add [Install] with WantedBy=multi-user.target, or do not enable it");
        }
        for (int i = 0; i < unit.dropIns().size(); i++) {
            SystemdUnit.DropIn dropIn = unit.dropIns().get(i);
            String base = field + ".dropIns[" + i + "]";
            if (!dropIn.name().endsWith(".conf")) {
                findings.error(
                        Rule.UNIT_NAME,
                        source.at(base + ".name"),
                        label(base, dropIn.name()),
                        "systemd reads only drop-ins whose name ends in .conf",
                        "end the name in .conf");
            }
            lines(base + ".content", label(base, dropIn.name()), dropIn.content());
        }
    }

    private UnitSyntax.Reading lines(String field, String label, String content) {
        UnitSyntax.Reading reading = UnitSyntax.readUnit(content);
        for (UnitSyntax.Fault fault : reading.faults()) {
            findings.add(new LintFinding(
                    Severity.ERROR,
                    Rule.UNIT_SYNTAX,
                    source.positionIn(field, fault.line(), 0),
                    label,
                    new Position(fault.line(), 0),
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
            // A text in brackets is a list to cloud-init, and no shell sees it.
            if (!command.startsWith("[")) {
                for (ScriptChecker.Fault fault : scripts.check(ScriptChecker.Dialect.POSIX, command)) {
                    findings.error(
                            Rule.SHELL_SYNTAX, source.positionIn(item, fault.line(), 0), item, fault.message(), "");
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
                        Severity.INFO,
                        Rule.TEMPLATE_NOT_RENDERED,
                        source.positionIn(field, number, action.start() + 1),
                        label,
                        new Position(number, action.start() + 1),
                        Excerpt.of(action.group()) + " is copied as it is, " + what + " are not templates",
                        "move what depends on it into a file",
                        null));
            }
        }
    }

    private static String label(String field, String name) {
        return field + " (" + name + ")";
    }
}
