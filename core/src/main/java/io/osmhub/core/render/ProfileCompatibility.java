package io.osmhub.core.render;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.machine.ProviderConfig.OperatingSystemSpec;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
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

/** Whether a profile supports a MachineDeployment. */
public final class ProfileCompatibility {
    private ProfileCompatibility() {}

    /**
     * Compares operating system, cloud provider, provisioning utility and kubelet version, without rendering.
     *
     * @return empty if compatible; mistakes inside the profile are not included
     */
    public static List<Problem> findIncompatibilities(
            OperatingSystemProfile.Spec profile, String profileName, MachineDeployment machineDeployment) {
        String description = "OperatingSystemProfile \"" + profileName + "\"";
        List<Problem> findings = new ArrayList<>();
        try {
            ProviderConfig config = requireSupported(profile, profileName, description, machineDeployment);
            config.operatingSystemSpec(machineDeployment, isOwn(profile));
        } catch (TenantMistake e) {
            findings.addAll(e.findings());
        }
        KubeletVersion version = KubeletVersion.read(machineDeployment, findings);
        if (version != null) {
            findVersionMismatch(profile, description, version, machineDeployment)
                    .ifPresent(findings::add);
        }
        return findings;
    }

    /**
     * Decodes the provider config, and compares operating system, cloud provider and provisioning utility.
     *
     * @throws TenantMistake if the profile does not support the MachineDeployment, or the provider config is invalid
     */
    static ProviderConfig requireSupported(
            OperatingSystemProfile.Spec profile,
            String profileName,
            String description,
            MachineDeployment machineDeployment) {
        ProviderConfig.Decoded decoded = ProviderConfig.decode(machineDeployment);
        requireCompatible(profile, profileName, machineDeployment, decoded.lenient());
        ProviderConfig config = decoded.strict();
        String utility = utility(config, machineDeployment, isOwn(profile));
        if (!profile.provisioningUtility().isEmpty()) {
            requireUtility(profile.provisioningUtility(), description, utility, machineDeployment);
        }
        return config;
    }

    static boolean isOwn(OperatingSystemProfile.Spec profile) {
        return profile.templateEngine() == TemplateLanguage.HANDLEBARS;
    }

    private static final Set<Reason> MISMATCHES = Set.of(
            Reason.ProfileOperatingSystemMismatch,
            Reason.ProfileCloudProviderMismatch,
            Reason.ProfileKubernetesVersionMismatch,
            Reason.ProvisioningUtilityMismatch);

    /**
     * Completes the fixes of mismatches: the profile with its namespace, and another one that supports the MachineDeployment.
     *
     * @param profile the one that the findings are about
     */
    public static List<Problem> completeFixes(
            List<Problem> findings, RenderInput.Profile profile, MachineDeployment machineDeployment) {
        if (findings.stream().noneMatch(finding -> MISMATCHES.contains(finding.reason()))) {
            return findings;
        }
        return findCompatible(profile.alternatives().get(), machineDeployment)
                .map(name -> findings.stream()
                        .map(finding -> MISMATCHES.contains(finding.reason())
                                ? finding.withFix(
                                        finding.fix() + "; " + supports(finding, name, machineDeployment),
                                        machineDeployment.profileCommand(name))
                                : finding)
                        .toList())
                .orElse(findings);
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

    private static String supports(Problem finding, String profile, MachineDeployment machineDeployment) {
        ProviderConfig config = ProviderConfig.decode(machineDeployment).lenient();
        return profile + " supports "
                + switch (finding.reason()) {
                    case ProfileOperatingSystemMismatch -> config.operatingSystem();
                    case ProfileCloudProviderMismatch -> config.cloudProvider();
                    default -> "it";
                };
    }

    /**
     * Compares operating system and cloud provider. The machine's owner reads these messages, which are those of OSM, in an Event.
     *
     * @throws TenantMistake with one finding or both
     */
    public static void requireCompatible(
            OperatingSystemProfile.Spec profile,
            String profileName,
            MachineDeployment machineDeployment,
            ProviderConfig config) {
        List<Problem> findings = new ArrayList<>();
        if (!profile.osName().equals(config.operatingSystem())) {
            findings.add(new Problem(
                    Reason.ProfileOperatingSystemMismatch,
                    machineDeployment.describe(),
                    "providerSpec.value.operatingSystem",
                    "OperatingSystemProfile \"" + profileName + "\" does not support operating system \""
                            + config.operatingSystem() + "\"",
                    "it is for " + profile.osName()));
        }
        if (!profile.supportedCloudProviders().contains(config.cloudProvider())) {
            findings.add(new Problem(
                    Reason.ProfileCloudProviderMismatch,
                    machineDeployment.describe(),
                    "providerSpec.value.cloudProvider",
                    "OperatingSystemProfile \"" + profileName + "\" does not support cloud provider \""
                            + config.cloudProvider() + "\"",
                    "it supports " + String.join(", ", profile.supportedCloudProviders())));
        }
        if (!findings.isEmpty()) {
            throw new TenantMistake(findings);
        }
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

    /** @throws TenantMistake if the profile makes documents for another utility */
    static void requireUtility(
            String made, String profileDescription, String utility, MachineDeployment machineDeployment) {
        if (!made.equals(utility)) {
            throw new TenantMistake(new Problem(
                    Reason.ProvisioningUtilityMismatch,
                    machineDeployment.describe(),
                    "providerSpec.value.operatingSystemSpec.provisioningUtility",
                    "asks for " + utility + ", " + profileDescription + " makes " + made,
                    "set it to " + made));
        }
    }

    static Optional<Problem> findVersionMismatch(
            OperatingSystemProfile.Spec profile,
            String profileDescription,
            KubeletVersion version,
            MachineDeployment machineDeployment) {
        String constraint = profile.supportedKubernetesVersions();
        if (constraint == null) {
            return Optional.empty();
        }
        String what;
        try {
            if (version.satisfies(VersionConstraint.parse(constraint))) {
                return Optional.empty();
            }
            what = profileDescription + " supports " + constraint + ", not " + version.text();
        } catch (InvalidVersionException e) {
            what = profileDescription + " has supportedKubernetesVersions \"" + constraint + "\" (" + e.text() + ")";
        }
        return Optional.of(new Problem(
                Reason.ProfileKubernetesVersionMismatch,
                machineDeployment.describe(),
                "spec.template.spec.versions.kubelet",
                what,
                "choose another version or profile"));
    }
}
