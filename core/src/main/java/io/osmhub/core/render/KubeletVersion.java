package io.osmhub.core.render;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.core.version.VersionConstraint;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The kubelet's version, read leniently: {@code 1.33} is {@code v1.33.0}. */
record KubeletVersion(SemanticVersion version) {
    private static final String FIELD = "spec.template.spec.versions.kubelet";

    /** Kubelets before it talk to the cloud themselves, with a cloud config that the hub does not write. */
    private static final int OLDEST_MINOR = 29;

    /** The version; null if it is invalid or too old, with a finding added. */
    static @Nullable KubeletVersion read(MachineDeployment machineDeployment, List<Problem> findings) {
        String given = machineDeployment.kubeletVersion();
        String wrong;
        try {
            SemanticVersion version = SemanticVersion.parse(given);
            if (version.major() > 1 || version.major() == 1 && version.minor() >= OLDEST_MINOR) {
                return new KubeletVersion(version);
            }
            wrong = "kubelet " + given + " is not supported, only 1." + OLDEST_MINOR + " and newer";
        } catch (InvalidVersionException e) {
            wrong = "\"" + given + "\" is not a version (" + e.text() + ")";
        }
        findings.add(invalid(machineDeployment, wrong, "write for example 1.34.2"));
        return null;
    }

    private static Problem invalid(MachineDeployment machineDeployment, String wrong, String fix) {
        return new Problem(Reason.KubeletVersionInvalid, machineDeployment.describe(), FIELD, wrong, fix);
    }

    /**
     * A finding if OSM would write an in-tree cloud config. It compares versions by semantic versioning, where a pre-release is not
     * among the versions from 1.29 on.
     */
    Optional<Problem> findMissingCloudConfig(
            MachineDeployment machineDeployment, ProviderConfig config, boolean external) {
        if (version.prerelease().isEmpty()
                || external
                || config.overwriteCloudConfig() != null
                || !mayHaveCloudConfig(config.cloudProvider())) {
            return Optional.empty();
        }
        return Optional.of(invalid(
                machineDeployment,
                "kubelet " + machineDeployment.kubeletVersion() + " is not supported with cloud provider \""
                        + config.cloudProvider() + "\", because it is a pre-release",
                "write a release, or set externalCloudProvider"));
    }

    /** False for providers for which OSM never writes an in-tree cloud config. */
    private static boolean mayHaveCloudConfig(String provider) {
        return switch (provider) {
            case "alibaba", "anexia", "digitalocean", "hetzner", "linode", "scaleway", "nutanix" -> false;
            case "vmware-cloud-director", "opennebula", "edge", "baremetal" -> false;
            default -> true;
        };
    }

    /** The text for templates. */
    String text() {
        return "v" + version;
    }

    /** Whether its numbers satisfy a constraint; a pre-release counts as its release. */
    boolean satisfies(VersionConstraint constraint) {
        return constraint.allows(
                new SemanticVersion(version.major(), version.minor(), version.patch(), "", "", version.original()));
    }
}
