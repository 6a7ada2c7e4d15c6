package io.osmhub.core.render;

import io.osmhub.core.machine.CloudProviderSpec;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.machine.ReferenceResolver;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.version.VersionConstraint;
import java.util.Map;
import java.util.Set;

/** Decides which cloud config a kubelet gets: none since 1.29 or with an external cloud controller manager. */
final class KubeletCloudConfig {
    /** Providers whose cloud controller manager was part of Kubernetes. */
    private static final Set<String> WITH_IN_TREE_MANAGER = Set.of("aws", "azure", "gce", "vsphere");

    private static final Set<String> WITHOUT_CONFIG = Set.of(
            "alibaba",
            "anexia",
            "digitalocean",
            "hetzner",
            "linode",
            "scaleway",
            "nutanix",
            "vmware-cloud-director",
            "opennebula",
            "edge",
            "baremetal");
    private static final Set<String> WITH_CREDENTIAL = Set.of("azure", "openstack", "vsphere", "kubevirt");
    private static final VersionConstraint WITHOUT_IN_TREE = KubeletVersion.constraint(">= 1.29");

    private KubeletCloudConfig() {}

    static boolean isInTreeManagerAvailable(ProviderConfig config, boolean external) {
        return !external && WITH_IN_TREE_MANAGER.contains(config.cloudProvider());
    }

    /** Whether the provider's whole text is a credential. */
    static boolean holdsCredential(ProviderConfig config) {
        return WITH_CREDENTIAL.contains(config.cloudProvider());
    }

    /** @throws TenantMistake if a text is required and cannot be rendered */
    static String text(
            MachineDeployment machineDeployment,
            ProviderConfig config,
            KubeletVersion version,
            boolean external,
            ReferenceResolver references,
            Map<String, String> environment) {
        if (config.overwriteCloudConfig() != null) {
            return config.overwriteCloudConfig();
        }
        if (external || version.satisfies(WITHOUT_IN_TREE) || WITHOUT_CONFIG.contains(config.cloudProvider())) {
            return "";
        }
        if (!InTreeCloudConfig.PROVIDERS.contains(config.cloudProvider())) {
            throw new TenantMistake(new ProblemFinding(
                    "CloudProviderUnknown",
                    machineDeployment.describe(),
                    "providerSpec.value.cloudProvider",
                    "no in-tree cloud config for \"" + config.cloudProvider() + "\" with kubelet "
                            + machineDeployment.kubeletVersion(),
                    "use kubelet 1.29 or newer, or externalCloudProvider"));
        }
        CloudProviderSpec spec = CloudProviderSpec.of(machineDeployment, config, references, environment);
        return new InTreeCloudConfig(spec, version).text(config.cloudProvider());
    }
}
