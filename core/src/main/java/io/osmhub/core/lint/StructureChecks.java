package io.osmhub.core.lint;

import io.osmhub.core.lint.ProfileSource.ConfigName;
import io.osmhub.core.lint.ProfileSource.SourceFile;
import io.osmhub.core.machine.OperatingSystemSpec;
import io.osmhub.core.osc.SystemdUnit;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.version.InvalidVersion;
import io.osmhub.core.version.VersionConstraint;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/** What can be said of a profile without rendering it. Its units and modules are looked at by {@link UnitChecks}. */
final class StructureChecks {
    /** Encodings that cloud-init knows; only {@code b64} is applied when a document is made. */
    private static final Set<String> CLOUD_INIT_ENCODINGS =
            Set.of("b64", "base64", "gz", "gzip", "gz+base64", "gzip+base64", "gz+b64", "gzip+b64", "text/plain");

    private static final List<BiConsumer<ProfileSource, Findings>> CHECKS = List.of(
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

    static void run(ProfileSource source, Findings findings) {
        CHECKS.forEach(check -> check.accept(source, findings));
    }

    private static void providersAreNamedOnce(ProfileSource source, Findings findings) {
        List<String> providers = source.profile().spec().supportedCloudProviders();
        if (providers.isEmpty()) {
            findings.error(
                    Rule.NO_PROVIDER,
                    source.at("spec.supportedCloudProviders"),
                    "spec.supportedCloudProviders",
                    "is empty, so no MachineDeployment can use the profile",
                    "name the cloud providers that it serves");
        }
        Set<String> seen = new HashSet<>();
        for (int i = 0; i < providers.size(); i++) {
            if (!seen.add(providers.get(i))) {
                String field = "spec.supportedCloudProviders[" + i + "]";
                findings.warning(
                        Rule.DUPLICATE_PROVIDER,
                        source.at(field),
                        field,
                        "cloud provider " + providers.get(i) + " is there twice",
                        "delete one");
            }
        }
    }

    /** Not a warning: the profile is right where another controller creates the machines. */
    private static void machineControllerAcceptsTheOperatingSystem(ProfileSource source, Findings findings) {
        String operatingSystem = source.profile().spec().osName();
        if (!OperatingSystemSpec.OF_MACHINE_CONTROLLER.contains(operatingSystem)) {
            findings.info(
                    Rule.MACHINE_CONTROLLER,
                    source.at("spec.osName"),
                    "spec.osName",
                    "machine-controller does not accept " + operatingSystem + ", so it creates no machine",
                    "create the machines with another controller, or use one of "
                            + String.join(", ", OperatingSystemSpec.OF_MACHINE_CONTROLLER));
        }
    }

    private static void utilityFitsTheOperatingSystem(ProfileSource source, Findings findings) {
        OperatingSystemProfile.Spec spec = source.profile().spec();
        String utility = spec.provisioningUtility();
        boolean flatcar = spec.osName().equals("flatcar");
        if (utility.isEmpty() && flatcar) {
            findings.warning(
                    Rule.PROVISIONING_UTILITY,
                    source.at("spec.osName"),
                    "spec.provisioningUtility",
                    "is left out and so means cloud-init, which a MachineDeployment of Flatcar asks for only on"
                            + " request",
                    "write provisioningUtility: ignition");
        } else if (utility.equals("ignition") && !flatcar) {
            findings.error(
                    Rule.PROVISIONING_UTILITY,
                    source.at("spec.provisioningUtility"),
                    "spec.provisioningUtility",
                    spec.osName() + " does not read Ignition",
                    "write cloud-init");
        }
    }

    private static void versionsAreTested(ProfileSource source, Findings findings) {
        String field = "spec.supportedKubernetesVersions";
        String constraint = source.profile().spec().supportedKubernetesVersions();
        if (constraint == null) {
            return;
        }
        try {
            VersionConstraint.parse(constraint);
        } catch (InvalidVersion e) {
            findings.error(
                    Rule.KUBERNETES_VERSIONS,
                    source.at(field),
                    field,
                    "\"" + constraint + "\" is not a valid constraint: " + e.text(),
                    "write for example \">=1.31.0 <1.38.0\"");
            return;
        }
        if (KubernetesVersions.meeting(constraint).isEmpty()) {
            findings.warning(
                    Rule.KUBERNETES_VERSIONS,
                    source.at(field),
                    field,
                    "\"" + constraint + "\" excludes all of " + KubernetesVersions.range()
                            + ", so nothing was rendered",
                    "");
        }
    }

    private static void unitsAreServedByTheOperatingSystem(ProfileSource source, Findings findings) {
        if (source.profile().spec().osName().equals("flatcar")) {
            return;
        }
        for (ConfigName config : ConfigName.values()) {
            if (!source.config(config).units().isEmpty()) {
                String field = "spec." + config + ".units";
                findings.warning(
                        Rule.UNITS_NOT_SUPPORTED,
                        source.at(field),
                        field,
                        source.profile().spec().osName() + " ignores units, and admission refuses them",
                        "write each as a file below /etc/systemd/system and start it by a command");
            }
        }
    }

    private static void unitsAreNamedOnce(ProfileSource source, Findings findings) {
        for (ConfigName config : ConfigName.values()) {
            Set<String> seen = new HashSet<>();
            List<SystemdUnit> units = source.config(config).units();
            for (int i = 0; i < units.size(); i++) {
                String name = units.get(i).name();
                if (!seen.add(name)) {
                    String field = "spec." + config + ".units[" + i + "]";
                    findings.warning(
                            Rule.DUPLICATE_UNIT,
                            source.at(field),
                            field + " (" + name + ")",
                            "the unit is there twice; the later one wins",
                            "delete one");
                }
            }
        }
    }

    private static void filesHaveContent(ProfileSource source, Findings findings) {
        eachFile(source, file -> {
            if (file.file().inline() == null) {
                String field = file.field() + ".content";
                findings.error(
                        Rule.MISSING_CONTENT,
                        source.at(field),
                        file.label(),
                        "has no content.inline",
                        "add content.inline.data, empty if need be");
            }
        });
    }

    private static void pathsAreAbsolute(ProfileSource source, Findings findings) {
        eachFile(source, file -> {
            String path = file.file().path();
            if (!path.startsWith("/")) {
                findings.error(
                        Rule.FILE_PATH,
                        source.at(file.field() + ".path"),
                        file.label(),
                        "the path is not absolute",
                        "begin it with /");
            } else if (path.endsWith("/") || (path + "/").contains("/../")) {
                findings.error(
                        Rule.FILE_PATH,
                        source.at(file.field() + ".path"),
                        file.label(),
                        "the path names no file",
                        "write the file's full path, without ..");
            }
        });
    }

    private static void pathsAreWrittenOnce(ProfileSource source, Findings findings) {
        for (ConfigName config : ConfigName.values()) {
            Map<String, String> seen = new HashMap<>();
            for (SourceFile file : source.files(config)) {
                String first = seen.putIfAbsent(file.file().path(), file.field());
                if (first != null) {
                    findings.warning(
                            Rule.DUPLICATE_PATH,
                            source.at(file.field() + ".path"),
                            file.label(),
                            "the path is written twice; the later one wins",
                            "delete " + first + " or this one");
                }
            }
        }
    }

    private static void permissionsAreModes(ProfileSource source, Findings findings) {
        boolean ignition = source.profile().spec().provisioningUtility().equals("ignition");
        eachFile(source, file -> {
            String digits = Integer.toString(file.file().permissions());
            String field = file.field() + ".permissions";
            if (!isMode(digits)) {
                findings.error(
                        Rule.FILE_PERMISSIONS,
                        source.at(field),
                        file.label(),
                        digits + " is not a file mode",
                        "write three octal digits without a leading zero, for example 644");
            } else if (ignition && (digits.length() == 2 || digits.length() == 4)) {
                findings.error(
                        Rule.FILE_PERMISSIONS,
                        source.at(field),
                        file.label(),
                        "Ignition takes " + digits + " as a decimal number, which is not the mode it looks like",
                        "write three digits, and set other bits by a unit");
            }
        });
    }

    private static boolean isMode(String digits) {
        return digits.length() <= 4 && digits.chars().allMatch(c -> c >= '0' && c <= '7');
    }

    /** Whether a content really has the encoding that is announced is seen when it is rendered. */
    private static void encodingsAreKnown(ProfileSource source, Findings findings) {
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
                        Rule.FILE_ENCODING,
                        source.at(field),
                        file.label(),
                        "cloud-init knows no encoding " + encoding,
                        "write b64 or leave it out");
            } else if (ignition && !encoding.equals("text/plain")) {
                findings.warning(
                        Rule.FILE_ENCODING,
                        source.at(field),
                        file.label(),
                        "nothing decodes " + encoding + " on a machine that is set up by Ignition",
                        "leave it out");
            }
        });
    }

    private static void eachFile(ProfileSource source, Consumer<SourceFile> check) {
        for (ConfigName config : ConfigName.values()) {
            source.files(config).forEach(check);
        }
    }
}
