package io.osmhub.core.lint;

import com.google.re2j.Matcher;
import com.google.re2j.Pattern;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.lint.ProfileSource.ConfigName;
import io.osmhub.core.lint.ProfileSource.Template;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.osc.CloudInitModules;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.osp.OperatingSystemProfile.File;
import io.osmhub.core.osp.OperatingSystemProfile.Spec;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.problem.SourcePosition;
import io.osmhub.core.userdata.SystemdUnitParser;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.core.version.VersionConstraint;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The rules about the parts of a profile that need no rendering. Their severities and texts are in {@code lint-rules.tsv}. */
final class ProfileRules {
    private static final Pattern CONVERTED = Pattern.compile("[+]?0[0-9a-fA-FxobX_]+");
    private static final Pattern ACTION = Pattern.compile("\\{\\{[^{}\\n]*}}");

    private final ProfileSource source;
    private final Spec spec;
    private final boolean ignition;
    private final boolean supportsUnits;
    private final ScriptChecker scripts;
    private final FindingCollector findings;

    ProfileRules(ProfileSource source, ScriptChecker scripts, FindingCollector findings) {
        this.source = source;
        this.spec = source.spec();
        this.ignition = spec.provisioningUtility().equals("ignition");
        this.supportsUnits = List.of("flatcar", "").contains(spec.osName());
        this.scripts = scripts;
        this.findings = findings;
    }

    /** A part of the profile; {@code name} is that of a file, unit or drop-in, and empty for others. */
    private final class Part {
        private final String field;
        private final String name;

        Part(String field, String name) {
            this.field = field;
            this.name = name;
        }

        private String field(String below) {
            return below.isEmpty() ? field : field + "." + below;
        }

        private String label(String below) {
            return name.isEmpty() ? field(below) : field + " (" + name + ")";
        }

        /**
         * Reports a violation of a rule.
         *
         * @param below the field that the finding points at; empty for that of the part
         * @param rule see {@link LintRuleViolation#of}
         */
        void check(boolean broken, String below, String rule, Object... values) {
            if (broken && !findings.isFull()) {
                findings.add(LintRuleViolation.of(rule, values), source.positionOf(field(below)), label(below), null);
            }
        }

        /** Warns of a part with an earlier part's key. */
        void checkUnique(Map<String, Part> seen, String key, String below, String rule) {
            Part first = seen.putIfAbsent(key, this);
            if (first != null) {
                check(true, below, rule, first.field, key);
            }
        }

        /** Checks a text that is not rendered. {@code path} is that of its file; empty for a command. */
        void checkCopied(String below, String path, String text, String parts) {
            // It is the same in all versions, so the newest one decides on removed options.
            List<String> versions = KubernetesVersions.matching(spec.supportedKubernetesVersions());
            RemovedOptions.find(path, text).stream()
                    .filter(option -> option.appliesTo(versions.isEmpty() ? "" : versions.getLast()))
                    .forEach(option -> inLine(below, option.line(), 0, option.violation()));
            int number = 0;
            for (String line : text.contains("{{") ? text.lines().toList() : List.<String>of()) {
                number++;
                Matcher action = ACTION.matcher(line);
                if (!findings.isFull() && action.find()) {
                    String excerpt = FindingCollector.excerpt(action.group());
                    LintRuleViolation violation = LintRuleViolation.of("template-not-rendered", excerpt, parts);
                    inLine(below, number, action.start() + 1, violation);
                }
            }
        }

        private void inLine(String below, int line, int column, LintRuleViolation violation) {
            SourcePosition position = source.positionIn(field(below), line, column);
            findings.add(new LintFinding(violation, position, label(below), new SourcePosition(line, column), null));
        }
    }

    void run() {
        profile();
        for (ConfigName config : ConfigName.values()) {
            Map<String, Part> files = new HashMap<>();
            source.files(config).forEach(file -> file(file, files));
            units(config, files);
            CloudInitModules modules = config.of(spec).modules();
            if (modules != null) {
                commands(config.field() + ".modules.bootcmd", modules.bootcmd());
                commands(config.field() + ".modules.runcmd", modules.runcmd());
            }
        }
    }

    private void profile() {
        Part profile = new Part("spec", "");
        String system = spec.osName();
        String utility = spec.provisioningUtility();
        List<String> providers = spec.supportedCloudProviders();
        List<String> accepted = OperatingSystemSpec.OF_MACHINE_CONTROLLER;
        // What is missing is the schema's to report.
        boolean noProvider = providers.isEmpty() && source.containsField("spec.supportedCloudProviders");
        profile.check(noProvider, "supportedCloudProviders", "no-provider");
        // Not a warning: the profile is valid where another controller creates the machines.
        boolean isAccepted = system.isEmpty() || accepted.contains(system);
        profile.check(!isAccepted, "osName", "machine-controller", system, String.join(", ", accepted));
        boolean isLeftOut = system.equals("flatcar") && utility.isEmpty();
        profile.check(isLeftOut, "osName", "provisioning-utility.left-out");
        boolean isUnsupported = ignition && !supportsUnits;
        profile.check(isUnsupported, "provisioningUtility", "provisioning-utility.not-supported", system);
        if (spec.supportedKubernetesVersions() != null) {
            kubernetesVersions(spec.supportedKubernetesVersions());
        }
        Map<String, Part> seen = new HashMap<>();
        for (int i = 0; i < providers.size(); i++) {
            new Part("spec.supportedCloudProviders[" + i + "]", "")
                    .checkUnique(seen, providers.get(i), "", "duplicate-provider");
        }
    }

    private void kubernetesVersions(String constraint) {
        Part part = new Part("metadata.annotations[" + ProfileAnnotations.SUPPORTED_KUBERNETES_VERSIONS + "]", "");
        boolean none = KubernetesVersions.matching(constraint).isEmpty();
        part.check(none, "", "kubernetes-versions.none", constraint, KubernetesVersions.range());
        try {
            VersionConstraint.parse(constraint);
        } catch (InvalidVersionException e) {
            part.check(true, "", "kubernetes-versions.invalid", constraint, e.text());
        }
    }

    private void file(Template template, Map<String, Part> seen) {
        File file = Objects.requireNonNull(template.file());
        String path = file.path();
        Part part = new Part(template.field(), path);
        part.check(file.inline() == null, "content", "missing-content");
        boolean isAbsolute = path.startsWith("/");
        part.check(!isAbsolute, "path", "file-path.relative");
        boolean isFolder = path.endsWith("/") || (path + "/").contains("/../");
        part.check(isAbsolute && isFolder, "path", "file-path.no-file");
        permissions(part, file.permissions(), source.wordAt(template.field() + ".permissions"));
        String encoding = template.encoding();
        boolean isKnown = encoding.isEmpty() || UserDataSchema.ENCODINGS.contains(encoding);
        part.check(!isKnown, "content.inline.encoding", "file-encoding.unknown", encoding);
        boolean isDecoded = !ignition || List.of("", "b64", "text/plain").contains(encoding);
        part.check(isKnown && !isDecoded, "content.inline.encoding", "file-encoding.ignition", encoding);
        part.checkUnique(seen, path, "path", "duplicate-path.file");
    }

    /** @param written the number as in the text, which YAML may read in another base */
    private void permissions(Part part, int mode, String written) {
        boolean isMode = FileMode.isWritten(mode);
        String meaning = isMode ? FileMode.octal(FileMode.meaning(mode)) : "";
        boolean isProbablyDecimal = FileMode.isProbablyDecimal(mode);
        String broken = null;
        if (mode >= 8 && CONVERTED.matcher(written).matches()) {
            broken = isMode ? "converted" : "converted-invalid";
        } else if (!isMode) {
            broken = isProbablyDecimal ? "invalid-decimal" : "invalid";
        } else if (ignition && (mode >= 1000 || mode >= 10 && mode < 100)) {
            broken = "ignition";
        } else if (isProbablyDecimal) {
            broken = "decimal";
        }
        String rule = "file-permissions." + broken;
        String digits = Integer.toOctalString(mode);
        part.check(broken != null, "permissions", rule, written, mode, meaning, digits, FileMode.octal(mode));
    }

    private void units(ConfigName config, Map<String, Part> files) {
        List<SystemdUnit> units = config.of(spec).units();
        Part all = new Part(config.field(), "");
        all.check(!units.isEmpty() && !supportsUnits, "units", "units-not-supported", spec.osName());
        Map<String, Part> seen = new HashMap<>();
        for (int i = 0; i < units.size(); i++) {
            SystemdUnit unit = units.get(i);
            Part part = new Part(config.field() + ".units[" + i + "]", unit.name());
            unit(part, unit);
            part.checkUnique(seen, unit.name(), "", "duplicate-unit");
            if (spec.osName().equals("flatcar")) {
                unit.paths().forEach((path, field) -> {
                    Part file = files.get(path);
                    if (file != null) {
                        // Ignition refuses a config with both; coreos-cloudinit writes the unit last.
                        String rule = ignition ? "duplicate-path.unit-ignition" : "duplicate-path.unit";
                        file.check(true, "path", rule, part.field(field));
                    }
                });
            }
        }
    }

    private void unit(Part part, SystemdUnit unit) {
        String content = unit.content() == null ? "" : unit.content();
        boolean isUnused = Boolean.TRUE.equals(unit.enable())
                && SystemdUnitParser.parse(content).isInstallMissing();
        part.check(!SystemdFiles.isUnitName(unit.name()), "name", "unit-name");
        part.check(isUnused, "enable", "unit-install");
        unitText(part, unit, content);
        for (int i = 0; i < unit.dropIns().size(); i++) {
            SystemdUnit.DropIn dropIn = unit.dropIns().get(i);
            Part below = new Part(part.field + ".dropIns[" + i + "]", dropIn.name());
            below.check(!dropIn.name().endsWith(".conf"), "name", "unit-name.drop-in");
            unitText(below, unit, dropIn.content());
        }
    }

    private void unitText(Part part, SystemdUnit unit, String text) {
        String error = SystemdFiles.error(text);
        part.check(error != null, "content", "unit-syntax", String.valueOf(error));
        part.checkCopied("content", SystemdUnit.FOLDER + unit.name(), text, "units");
    }

    private void commands(String field, List<String> commands) {
        for (int i = 0; i < commands.size(); i++) {
            String command = commands.get(i);
            Part part = new Part(field + "[" + i + "]", "");
            part.check(command.contains("\r\n"), "", "shell-syntax.cr-lf");
            part.checkCopied("", "", command, "modules");
            // cloud-init parses a text in brackets as a list, and no shell runs it.
            String errors = command.startsWith("[") ? "" : scripts.check(ScriptChecker.Dialect.POSIX, command);
            part.check(!errors.isEmpty(), "", "shell-syntax", errors);
        }
    }
}
