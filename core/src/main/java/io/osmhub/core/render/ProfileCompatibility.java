package io.osmhub.core.render;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.render.KubeletCloudConfig.KubeletVersion;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.template.language.TemplateLanguage;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.core.version.VersionConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/** Whether a profile supports a MachineDeployment. */
public final class ProfileCompatibility {
    private ProfileCompatibility() {}

    /**
     * Compares operating system and cloud provider. The machine's owner reads these messages, which are those of OSM, in an Event.
     *
     * @throws TenantMistake with one finding or both; also if the provider config cannot be read
     */
    public static void requireCompatible(
            OperatingSystemProfile.Spec profile, String profileName, MachineDeployment machineDeployment) {
        requireCompatible(
                profile,
                profileName,
                machineDeployment,
                ProviderConfig.decode(machineDeployment).lenient());
    }

    /**
     * Compares operating system, cloud provider, provisioning utility and kubelet version, without rendering.
     *
     * @return empty if compatible; mistakes inside the profile are not included
     */
    public static List<ProblemFinding> findIncompatibilities(
            OperatingSystemProfile.Spec profile, String profileName, MachineDeployment machineDeployment) {
        List<ProblemFinding> findings = new ArrayList<>();
        try {
            ProviderConfig config = ProviderConfig.decode(machineDeployment).strict();
            requireCompatible(profile, profileName, machineDeployment, config);
            boolean ownProfile = profile.templateEngine() == TemplateLanguage.HANDLEBARS;
            config.operatingSystemSpec(machineDeployment, ownProfile);
            String utility = utility(config, machineDeployment, ownProfile);
            requireUtility(profile, "OperatingSystemProfile \"" + profileName + "\"", utility, machineDeployment);
        } catch (TenantMistake e) {
            findings.addAll(e.findings());
        }
        KubeletVersion version = KubeletVersion.read(machineDeployment, findings);
        if (version != null) {
            ProblemFinding mismatch = kubernetesVersion(
                    profile, "OperatingSystemProfile \"" + profileName + "\"", version, machineDeployment);
            if (mismatch != null) {
                findings.add(mismatch);
            }
        }
        return findings;
    }

    private static final Set<String> MISMATCHES = Set.of(
            "ProfileOperatingSystemMismatch",
            "ProfileCloudProviderMismatch",
            "ProfileKubernetesVersionMismatch",
            "ProvisioningUtilityMismatch");

    /**
     * Completes the fixes of mismatches: the profile with its namespace, and another one that supports the MachineDeployment.
     *
     * @param profile the one that the findings are about
     */
    public static List<ProblemFinding> completeFixes(
            List<ProblemFinding> findings, RenderInput.Profile profile, MachineDeployment machineDeployment) {
        if (findings.stream().noneMatch(finding -> MISMATCHES.contains(finding.reason()))) {
            return findings;
        }
        Optional<String> alternative = findCompatible(profile.alternatives().read(), machineDeployment);
        return findings.stream()
                .map(finding -> MISMATCHES.contains(finding.reason())
                        ? finding.withFix(
                                finding.cure().replaceFirst("^it (?=is for|supports)", profile.describe() + " ")
                                        + alternative
                                                .map(name -> "; " + supports(finding, name, machineDeployment) + ": "
                                                        + machineDeployment.profileCommand(name))
                                                .orElse(""))
                        : finding)
                .toList();
    }

    /** The first of the profiles that supports the MachineDeployment. */
    public static Optional<String> findCompatible(
            SortedMap<String, OperatingSystemProfile.Spec> profiles, MachineDeployment machineDeployment) {
        return profiles.entrySet().stream()
                .filter(other -> findIncompatibilities(other.getValue(), other.getKey(), machineDeployment)
                        .isEmpty())
                .map(Map.Entry::getKey)
                .findFirst();
    }

    private static String supports(ProblemFinding finding, String profile, MachineDeployment machineDeployment) {
        ProviderConfig config = ProviderConfig.decode(machineDeployment).lenient();
        return profile + " supports "
                + switch (finding.reason()) {
                    case "ProfileOperatingSystemMismatch" -> config.operatingSystem();
                    case "ProfileCloudProviderMismatch" -> config.cloudProvider();
                    default -> "it";
                };
    }

    /** The same for a decoded provider config. */
    static void requireCompatible(
            OperatingSystemProfile.Spec profile,
            String profileName,
            MachineDeployment machineDeployment,
            ProviderConfig config) {
        List<ProblemFinding> findings = new ArrayList<>();
        if (!profile.osName().equals(config.operatingSystem())) {
            findings.add(new ProblemFinding(
                    "ProfileOperatingSystemMismatch",
                    machineDeployment.describe(),
                    "providerSpec.value.operatingSystem",
                    "OperatingSystemProfile \"" + profileName + "\" does not support operating system \""
                            + config.operatingSystem() + "\"",
                    "it is for " + inFix(profile.osName())));
        }
        if (!profile.supportedCloudProviders().contains(config.cloudProvider())) {
            findings.add(new ProblemFinding(
                    "ProfileCloudProviderMismatch",
                    machineDeployment.describe(),
                    "providerSpec.value.cloudProvider",
                    "OperatingSystemProfile \"" + profileName + "\" does not support cloud provider \""
                            + config.cloudProvider() + "\"",
                    "it supports " + inFix(String.join(", ", profile.supportedCloudProviders()))));
        }
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
    }

    /** A profile's value must not look like the command of a fix. */
    private static String inFix(String value) {
        return value.replace(": ", ":");
    }

    /** The provisioning utility: on flatcar the one that the MachineDeployment requests, Ignition by default; else cloud-init. */
    static String utility(ProviderConfig config, MachineDeployment machineDeployment, boolean ownProfile) {
        if (config.operatingSystem().equals("flatcar")
                && config.operatingSystemSpec(machineDeployment, ownProfile)
                        instanceof OperatingSystemSpec.Flatcar os) {
            return os.provisioningUtility().isEmpty() ? "ignition" : os.provisioningUtility();
        }
        return "cloud-init";
    }

    static void requireUtility(
            OperatingSystemProfile.Spec profile,
            String profileDescription,
            String utility,
            MachineDeployment machineDeployment) {
        String made = profile.provisioningUtility();
        if (!made.isEmpty() && !made.equals(utility)) {
            throw new TenantMistake(utilityMismatch(profileDescription, made, utility, machineDeployment));
        }
    }

    static ProblemFinding utilityMismatch(
            String profileDescription, String made, String utility, MachineDeployment machineDeployment) {
        return new ProblemFinding(
                "ProvisioningUtilityMismatch",
                machineDeployment.describe(),
                "providerSpec.value.operatingSystemSpec.provisioningUtility",
                "asks for " + utility + ", " + profileDescription + " makes " + made,
                "set it to " + made);
    }

    /** A finding if the profile does not support this Kubernetes version, else null. */
    static @Nullable ProblemFinding kubernetesVersion(
            OperatingSystemProfile.Spec profile,
            String profileDescription,
            KubeletVersion version,
            MachineDeployment machineDeployment) {
        String constraint = profile.supportedKubernetesVersions();
        if (constraint == null) {
            return null;
        }
        String what;
        try {
            if (version.satisfiesIgnoringPrerelease(VersionConstraint.parse(constraint))) {
                return null;
            }
            what = profileDescription + " supports " + constraint + ", not " + version.text();
        } catch (InvalidVersionException e) {
            what = profileDescription + " has supportedKubernetesVersions \"" + constraint + "\" (" + e.text() + ")";
        }
        return new ProblemFinding(
                "ProfileKubernetesVersionMismatch",
                machineDeployment.describe(),
                "spec.template.spec.versions.kubelet",
                what,
                "choose another version or profile");
    }
}
