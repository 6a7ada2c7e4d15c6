package io.osmhub.core.render;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.OperatingSystemSpec;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.osp.TemplateLanguage;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.version.InvalidVersion;
import io.osmhub.core.version.VersionConstraint;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Whether a profile can serve a MachineDeployment. */
public final class ProfileChecks {
    private ProfileChecks() {}

    /**
     * Compares operating system and cloud provider. An Event tells the machine's owner about these, in the peer's words.
     *
     * @throws TenantMistake with one finding or both; also when the provider config cannot be read
     */
    public static void requireServes(
            OperatingSystemProfile.Spec profile, String profileName, MachineDeployment machineDeployment) {
        requireServes(
                profile,
                profileName,
                machineDeployment,
                ProviderConfig.decode(machineDeployment).lenient());
    }

    /**
     * All that stands between a profile and a MachineDeployment, without rendering: operating system, cloud provider, how the
     * machine is set up, and the kubelet's version.
     *
     * @return empty when it can be rendered; a mistake inside the profile is none of these
     */
    public static List<Finding> misfits(
            OperatingSystemProfile.Spec profile, String profileName, MachineDeployment machineDeployment) {
        List<Finding> findings = new ArrayList<>();
        try {
            ProviderConfig config = ProviderConfig.decode(machineDeployment).strict();
            requireServes(profile, profileName, machineDeployment, config);
            boolean ownProfile = profile.templateEngine() == TemplateLanguage.HANDLEBARS;
            config.operatingSystemSpec(machineDeployment, ownProfile);
            String utility = utility(config, machineDeployment, ownProfile);
            requireUtility(profile, "OperatingSystemProfile \"" + profileName + "\"", utility, machineDeployment);
        } catch (TenantMistake e) {
            findings.addAll(e.findings());
        }
        KubeletVersion version = KubeletVersion.read(machineDeployment, findings);
        if (version != null) {
            Finding mismatch = kubernetesVersion(
                    profile, "OperatingSystemProfile \"" + profileName + "\"", version, machineDeployment);
            if (mismatch != null) {
                findings.add(mismatch);
            }
        }
        return findings;
    }

    /** The same for a provider config that has been read. */
    static void requireServes(
            OperatingSystemProfile.Spec profile,
            String profileName,
            MachineDeployment machineDeployment,
            ProviderConfig config) {
        List<Finding> findings = new ArrayList<>();
        if (!profile.osName().equals(config.operatingSystem())) {
            findings.add(new Finding(
                    "ProfileOperatingSystemMismatch",
                    machineDeployment.describe(),
                    "providerSpec.value.operatingSystem",
                    "OperatingSystemProfile \"" + profileName + "\" does not support operating system \""
                            + config.operatingSystem() + "\"",
                    "it is for " + profile.osName()));
        }
        if (!profile.supportedCloudProviders().contains(config.cloudProvider())) {
            findings.add(new Finding(
                    "ProfileCloudProviderMismatch",
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

    /**
     * What sets the machine up: for flatcar what the MachineDeployment asks for, Ignition by default; else cloud-init.
     */
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

    static Finding utilityMismatch(
            String profileDescription, String made, String utility, MachineDeployment machineDeployment) {
        return new Finding(
                "ProvisioningUtilityMismatch",
                machineDeployment.describe(),
                "",
                "asks for " + utility + ", " + profileDescription + " makes " + made,
                "set operatingSystemSpec.provisioningUtility or spec.provisioningUtility");
    }

    /** A finding when the profile is not for this Kubernetes version; null when it is. */
    static @Nullable Finding kubernetesVersion(
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
            if (version.numbersMeet(VersionConstraint.parse(constraint))) {
                return null;
            }
            what = profileDescription + " supports " + constraint + ", not " + version.text();
        } catch (InvalidVersion e) {
            what = profileDescription + " has supportedKubernetesVersions \"" + constraint + "\" (" + e.text() + ")";
        }
        return new Finding(
                "ProfileKubernetesVersionMismatch",
                machineDeployment.describe(),
                "spec.template.spec.versions.kubelet",
                what,
                "choose another version or profile");
    }
}
