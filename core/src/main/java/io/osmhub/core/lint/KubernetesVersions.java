package io.osmhub.core.lint;

import io.osmhub.core.version.InvalidVersion;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.VersionConstraint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The Kubernetes versions for which profiles are rendered. */
final class KubernetesVersions {
    /** Minor versions, oldest first. */
    static final List<String> TESTED = List.of("1.30", "1.31", "1.32", "1.33", "1.34", "1.35");

    /** What a MachineDeployment writes after the minor version. */
    static final String PATCH = ".2";

    private KubernetesVersions() {}

    /** Those that meet a constraint; all without one, or with one that is none. */
    static List<String> meeting(@Nullable String constraint) {
        if (constraint == null) {
            return TESTED;
        }
        try {
            VersionConstraint parsed = VersionConstraint.parse(constraint);
            return TESTED.stream()
                    .filter(version -> parsed.allows(parse(version + PATCH)))
                    .toList();
        } catch (InvalidVersion e) {
            return TESTED;
        }
    }

    private static SemanticVersion parse(String version) {
        try {
            return SemanticVersion.parse(version);
        } catch (InvalidVersion e) {
            throw new IllegalArgumentException(version, e);
        }
    }
}
