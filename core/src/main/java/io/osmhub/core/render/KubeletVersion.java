package io.osmhub.core.render;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.problem.ProblemFinding;
import io.osmhub.core.version.InvalidVersionException;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.VersionConstraint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The kubelet's version, read leniently: {@code 1.33} is {@code v1.33.0}. */
record KubeletVersion(SemanticVersion version) {
    private static final String FIELD = "spec.template.spec.versions.kubelet";

    /** The version; null if invalid, with a finding added. */
    static @Nullable KubeletVersion read(MachineDeployment machineDeployment, List<ProblemFinding> findings) {
        try {
            return new KubeletVersion(SemanticVersion.parse(machineDeployment.kubeletVersion()));
        } catch (InvalidVersionException e) {
            findings.add(new ProblemFinding(
                    "KubeletVersionInvalid",
                    machineDeployment.describe(),
                    FIELD,
                    "\"" + machineDeployment.kubeletVersion() + "\" is not a version (" + e.text() + ")",
                    "write for example 1.34.2"));
            return null;
        }
    }

    /** The text for templates. */
    String text() {
        return "v" + version;
    }

    /** Whether it satisfies a constraint. A pre-release never satisfies a constraint without one, as in the template function. */
    boolean satisfies(VersionConstraint constraint) {
        return constraint.allows(version);
    }

    /** Whether its numbers satisfy a constraint; a pre-release counts as its release. */
    boolean satisfiesIgnoringPrerelease(VersionConstraint constraint) {
        return constraint.allows(
                new SemanticVersion(version.major(), version.minor(), version.patch(), "", "", version.original()));
    }

    static VersionConstraint constraint(String text) {
        try {
            return VersionConstraint.parse(text);
        } catch (InvalidVersionException e) {
            throw new IllegalArgumentException(text, e);
        }
    }
}
