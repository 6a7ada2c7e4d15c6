package io.osmhub.core.lint;

import io.osmhub.core.version.InvalidVersion;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.VersionConstraint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The Kubernetes versions that profiles are rendered for, wherever they are checked, tested or shown. */
public final class KubernetesVersions {
    /** Minor versions, oldest first. */
    public static final List<String> MINORS = List.of("1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37");

    /** What a MachineDeployment writes after the minor version. */
    private static final String PATCH = ".2";

    private KubernetesVersions() {}

    /** For people: {@code 1.31 to 1.37}. */
    public static String range() {
        return MINORS.getFirst() + " to " + MINORS.getLast();
    }

    /** A version as a MachineDeployment writes it. */
    public static String version(String minor) {
        return minor + PATCH;
    }

    /** Those that meet a constraint; all without one, or with one that is none. */
    public static List<String> meeting(@Nullable String constraint) {
        if (constraint == null) {
            return MINORS;
        }
        try {
            VersionConstraint parsed = VersionConstraint.parse(constraint);
            return MINORS.stream()
                    .filter(minor -> parsed.allows(parse(version(minor))))
                    .toList();
        } catch (InvalidVersion e) {
            return MINORS;
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
