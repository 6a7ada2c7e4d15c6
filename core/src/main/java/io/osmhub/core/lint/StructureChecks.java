package io.osmhub.core.lint;

import io.osmhub.core.lint.LintFinding.LintRule;
import io.osmhub.core.lint.LintFinding.LintSeverity;
import io.osmhub.core.lint.MatrixFilter.KubernetesVersions;
import io.osmhub.core.lint.ProfileSourceMap.ConfigName;
import io.osmhub.core.lint.ProfileSourceMap.SourceFile;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.ProfileAnnotations;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.core.version.VersionConstraint;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** Checks of a profile that need no rendering. {@link UnitChecks} checks units and modules. */
final class StructureChecks {
    /** Encodings of cloud-init; only {@code b64} is applied when building a document. */
    private static final Set<String> CLOUD_INIT_ENCODINGS =
            Set.of("b64", "base64", "gz", "gzip", "gz+base64", "gzip+base64", "gz+b64", "gzip+b64", "text/plain");

    private static final List<BiConsumer<ProfileSourceMap, FindingCollector>> CHECKS = List.of(
            StructureChecks::providersAreNamedOnce,
            StructureChecks::machineControllerAcceptsTheOperatingSystem,
            StructureChecks::utilityFitsTheOperatingSystem,
            StructureChecks::versionsAreTested,
            StructureChecks::unitsAreServedByTheOperatingSystem,
            StructureChecks::unitsAreNamedOnce,
            StructureChecks::filesHaveContent,
            StructureChecks::pathsAreAbsolute,
            StructureChecks::pathsAreWrittenOnce,
            StructureChecks::permissionsAreModes,
            StructureChecks::encodingsAreKnown);

    private StructureChecks() {}

    static void run(ProfileSourceMap source, FindingCollector findings) {
        CHECKS.forEach(check -> check.accept(source, findings));
    }

    private static void providersAreNamedOnce(ProfileSourceMap source, FindingCollector findings) {
        List<String> providers = source.profile().spec().supportedCloudProviders();
        if (providers.isEmpty() && source.containsField("spec.supportedCloudProviders")) {
            findings.error(
                    LintRule.NO_PROVIDER,
                    source.positionOf("spec.supportedCloudProviders"),
                    "spec.supportedCloudProviders",
                    "is empty, so no MachineDeployment can use the profile",
                    "list the supported cloud providers");
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < providers.size(); i++) {
            if (!seen.add(providers.get(i))) {
                String field = "spec.supportedCloudProviders[" + i + "]";
                findings.warning(
                        LintRule.DUPLICATE_PROVIDER,
                        source.positionOf(field),
                        field,
                        "cloud provider " + providers.get(i) + " is listed twice",
                        "remove one");
            }
        }
    }

    /** Not a warning: the profile is valid where another controller creates the machines. */
    private static void machineControllerAcceptsTheOperatingSystem(ProfileSourceMap source, FindingCollector findings) {
        String operatingSystem = source.profile().spec().osName();
        if (!operatingSystem.isEmpty() && !OperatingSystemSpec.OF_MACHINE_CONTROLLER.contains(operatingSystem)) {
            findings.info(
                    LintRule.MACHINE_CONTROLLER,
                    source.positionOf("spec.osName"),
                    "spec.osName",
                    "machine-controller does not accept " + operatingSystem + " and creates no machines",
                    "create the machines with another controller, or use one of "
                            + String.join(", ", OperatingSystemSpec.OF_MACHINE_CONTROLLER));
        }
    }

    private static void utilityFitsTheOperatingSystem(ProfileSourceMap source, FindingCollector findings) {
        OperatingSystemProfile.Spec spec = source.profile().spec();
        String utility = spec.provisioningUtility();
        boolean flatcar = spec.osName().equals("flatcar");
        if (utility.isEmpty() && flatcar) {
            findings.warning(
                    LintRule.PROVISIONING_UTILITY,
                    source.positionOf("spec.osName"),
                    "spec.provisioningUtility",
                    "is left out, which means cloud-init; Flatcar MachineDeployments use that only on" + " request",
                    "write provisioningUtility: ignition");
        } else if (utility.equals("ignition") && !flatcar && !spec.osName().isEmpty()) {
            findings.error(
                    LintRule.PROVISIONING_UTILITY,
                    source.positionOf("spec.provisioningUtility"),
                    "spec.provisioningUtility",
                    spec.osName() + " does not support Ignition",
                    "write cloud-init");
        }
    }

    private static void versionsAreTested(ProfileSourceMap source, FindingCollector findings) {
        String field = "metadata.annotations[" + ProfileAnnotations.SUPPORTED_KUBERNETES_VERSIONS + "]";
        String constraint = source.profile().spec().supportedKubernetesVersions();
        if (constraint == null) {
            return;
        }
        try {
            VersionConstraint.parse(constraint);
        } catch (InvalidVersionException e) {
            findings.error(
                    LintRule.KUBERNETES_VERSIONS,
                    source.positionOf(field),
                    field,
                    "\"" + constraint + "\" is not a valid constraint: " + e.text(),
                    "write for example \">=1.31.0 <1.38.0\"");
            return;
        }
        if (KubernetesVersions.matching(constraint).isEmpty()) {
            findings.warning(
                    LintRule.KUBERNETES_VERSIONS,
                    source.positionOf(field),
                    field,
                    "\"" + constraint + "\" excludes all of " + KubernetesVersions.range()
                            + ", so nothing was rendered",
                    "");
        }
    }

    private static void unitsAreServedByTheOperatingSystem(ProfileSourceMap source, FindingCollector findings) {
        if (List.of("flatcar", "").contains(source.profile().spec().osName())) {
            return;
        }
        for (ConfigName config : ConfigName.values()) {
            if (!source.config(config).units().isEmpty()) {
                String field = "spec." + config + ".units";
                findings.warning(
                        LintRule.UNITS_NOT_SUPPORTED,
                        source.positionOf(field),
                        field,
                        source.profile().spec().osName() + " ignores units, and admission refuses them",
                        "write each as a file in /etc/systemd/system and start it with a command");
            }
        }
    }

    private static void unitsAreNamedOnce(ProfileSourceMap source, FindingCollector findings) {
        for (ConfigName config : ConfigName.values()) {
            Set<String> seen = new HashSet<>();
            List<SystemdUnit> units = source.config(config).units();
            for (int i = 0; i < units.size(); i++) {
                String name = units.get(i).name();
                if (!seen.add(name)) {
                    String field = "spec." + config + ".units[" + i + "]";
                    findings.warning(
                            LintRule.DUPLICATE_UNIT,
                            source.positionOf(field),
                            field + " (" + name + ")",
                            "duplicate unit; the later one wins",
                            "remove one");
                }
            }
        }
    }

    private static void filesHaveContent(ProfileSourceMap source, FindingCollector findings) {
        eachFile(source, file -> {
            if (file.file().inline() == null) {
                String field = file.field() + ".content";
                findings.error(
                        LintRule.MISSING_CONTENT,
                        source.positionOf(field),
                        file.label(),
                        "has no content.inline",
                        "add content.inline.data, which may be empty");
            }
        });
    }

    private static void pathsAreAbsolute(ProfileSourceMap source, FindingCollector findings) {
        eachFile(source, file -> {
            String path = file.file().path();
            if (!path.startsWith("/")) {
                findings.error(
                        LintRule.FILE_PATH,
                        source.positionOf(file.field() + ".path"),
                        file.label(),
                        "the path is not absolute",
                        "begin it with /");
            } else if (path.endsWith("/") || (path + "/").contains("/../")) {
                findings.error(
                        LintRule.FILE_PATH,
                        source.positionOf(file.field() + ".path"),
                        file.label(),
                        "the path is not a file path",
                        "write the file's full path, without ..");
            }
        });
    }

    private static void pathsAreWrittenOnce(ProfileSourceMap source, FindingCollector findings) {
        for (ConfigName config : ConfigName.values()) {
            Map<String, String> seen = new HashMap<>();
            for (SourceFile file : source.files(config)) {
                String first = seen.putIfAbsent(file.file().path(), file.field());
                if (first != null) {
                    findings.warning(
                            LintRule.DUPLICATE_PATH,
                            source.positionOf(file.field() + ".path"),
                            file.label(),
                            "duplicate path; the later file wins",
                            "remove " + first + " or this one");
                }
            }
            unitsWriteOtherPaths(source, config, seen, findings);
        }
    }

    /** Ignition refuses a config with a file and a unit of one path; coreos-cloudinit writes the unit last. */
    private static void unitsWriteOtherPaths(
            ProfileSourceMap source, ConfigName config, Map<String, String> files, FindingCollector findings) {
        OperatingSystemProfile.Spec spec = source.profile().spec();
        if (!spec.osName().equals("flatcar")) {
            return;
        }
        List<SystemdUnit> units = source.config(config).units();
        for (int i = 0; i < units.size(); i++) {
            String unit = "spec." + config + ".units[" + i + "]";
            units.get(i).paths().forEach((path, field) -> {
                String file = files.get(path);
                if (file != null) {
                    boolean refused = spec.provisioningUtility().equals("ignition");
                    findings.add(new LintFinding(
                            refused ? LintSeverity.ERROR : LintSeverity.WARNING,
                            LintRule.DUPLICATE_PATH,
                            source.positionOf(file + ".path"),
                            file + " (" + path + ")",
                            "duplicate path: " + unit + (field.isEmpty() ? "" : "." + field) + " writes it too; "
                                    + (refused ? "Ignition refuses the whole document" : "the unit wins"),
                            "remove one of them"));
                }
            });
        }
    }

    private static void permissionsAreModes(ProfileSourceMap source, FindingCollector findings) {
        boolean ignition = source.profile().spec().provisioningUtility().equals("ignition");
        eachFile(source, file -> {
            int number = file.file().permissions();
            String digits = Integer.toString(number);
            String written = source.wordAt(file.field() + ".permissions");
            String field = file.field() + ".permissions";
            boolean converted = written.matches("[+]?0[0-9a-fA-FxobX_]+") && number >= 8;
            boolean decimal = FileMode.isUsual(number) && !(isMode(digits) && FileMode.isUsual(octalOf(digits)));
            if (converted) {
                findings.error(
                        LintRule.FILE_PERMISSIONS,
                        source.positionOf(field),
                        file.label(),
                        written + " is read as " + digits
                                + (isMode(digits) ? ", mode " + FileMode.octal(octalOf(digits)) : ""),
                        "write " + Integer.toOctalString(number));
            } else if (decimal && isMode(digits)) {
                findings.warning(
                        LintRule.FILE_PERMISSIONS,
                        source.positionOf(field),
                        file.label(),
                        digits + " means mode " + FileMode.octal(octalOf(digits))
                                + ", but is probably the decimal number of mode " + FileMode.octal(number),
                        "write " + Integer.toOctalString(number) + " for that");
            } else if (!isMode(digits)) {
                findings.error(
                        LintRule.FILE_PERMISSIONS,
                        source.positionOf(field),
                        file.label(),
                        digits + " is not a file mode",
                        decimal
                                ? "write " + Integer.toOctalString(number) + " for mode " + FileMode.octal(number)
                                : "write three octal digits without a leading zero, for example 644");
            } else if (ignition && (digits.length() == 2 || digits.length() == 4)) {
                findings.error(
                        LintRule.FILE_PERMISSIONS,
                        source.positionOf(field),
                        file.label(),
                        "Ignition takes " + digits + " as a decimal number, which gives another mode",
                        "use three digits, and set other bits in a unit");
            }
        });
    }

    private static int octalOf(String digits) {
        return Integer.parseInt(digits, 8);
    }

    private static boolean isMode(String digits) {
        return digits.length() <= 4 && digits.chars().allMatch(c -> c >= '0' && c <= '7');
    }

    /** Whether content has the declared encoding is checked when it is rendered. */
    private static void encodingsAreKnown(ProfileSourceMap source, FindingCollector findings) {
        boolean ignition = source.profile().spec().provisioningUtility().equals("ignition");
        eachFile(source, file -> {
            OperatingSystemProfile.Inline inline = file.file().inline();
            String encoding = inline == null ? "" : inline.encoding();
            if (encoding.isEmpty() || encoding.equals("b64")) {
                return;
            }
            String field = file.field() + ".content.inline.encoding";
            if (!CLOUD_INIT_ENCODINGS.contains(encoding)) {
                findings.error(
                        LintRule.FILE_ENCODING,
                        source.positionOf(field),
                        file.label(),
                        "unknown cloud-init encoding " + encoding,
                        "use b64 or leave it out");
            } else if (ignition && !encoding.equals("text/plain")) {
                findings.warning(
                        LintRule.FILE_ENCODING,
                        source.positionOf(field),
                        file.label(),
                        "Ignition does not decode " + encoding + "",
                        "leave it out");
            }
        });
    }

    private static void eachFile(ProfileSourceMap source, Consumer<SourceFile> check) {
        for (ConfigName config : ConfigName.values()) {
            source.files(config).forEach(check);
        }
    }
}
