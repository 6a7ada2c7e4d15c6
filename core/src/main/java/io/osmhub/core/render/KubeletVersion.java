package io.osmhub.core.render;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.Finding;
import io.osmhub.core.version.InvalidVersion;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.VersionConstraint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kubelet's version, read leniently: {@code 1.33} is {@code v1.33.0}. */
record KubeletVersion(SemanticVersion version) {
    private static final String FIELD = "spec.template.spec.versions.kubelet";

    /** The version; null when it is none, which is added to the findings. */
    static @Nullable KubeletVersion read(MachineDeployment machineDeployment, List<Finding> findings) {
        try {
            return new KubeletVersion(SemanticVersion.parse(machineDeployment.kubeletVersion()));
        } catch (InvalidVersion e) {
            findings.add(new Finding(
                    "KubeletVersionInvalid",
                    machineDeployment.describe(),
                    FIELD,
                    "\"" + machineDeployment.kubeletVersion() + "\" is not a version (" + e.text() + ")",
                    "write for example 1.34.2"));
            return null;
        }
    }

    /** As templates see it. */
    String text() {
        return "v" + version;
    }

    /** Whether it meets a constraint. A pre-release never meets one that names none, as in the templates' own function. */
    boolean meets(VersionConstraint constraint) {
        return constraint.allows(version);
    }

    /** Whether its numbers meet a constraint; a pre-release counts as its release. */
    boolean numbersMeet(VersionConstraint constraint) {
        return constraint.allows(
                new SemanticVersion(version.major(), version.minor(), version.patch(), "", "", version.original()));
    }

    static VersionConstraint constraint(String text) {
        try {
            return VersionConstraint.parse(text);
        } catch (InvalidVersion e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
