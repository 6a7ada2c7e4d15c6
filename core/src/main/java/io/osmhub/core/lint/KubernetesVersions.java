package io.osmhub.core.lint;

import io.osmhub.core.version.InvalidVersionException;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.VersionConstraint;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The Kubernetes versions for which profiles are rendered, checked and tested. */
public final class KubernetesVersions {
    /** Minor versions, oldest first. */
    public static final List<String> MINORS = List.of("1.31", "1.32", "1.33", "1.34", "1.35", "1.36", "1.37");

    /** Patch version appended to a minor version. */
    private static final String PATCH = ".2";

    private KubernetesVersions() {}

    /** For users: {@code 1.31 to 1.37}. */
    public static String range() {
        return MINORS.getFirst() + " to " + MINORS.getLast();
    }

    /** A full version, as in a MachineDeployment. */
    public static String version(String minor) {
        return minor + PATCH;
    }

    /** Those that meet a constraint; all without a constraint or with an invalid one. */
    public static List<String> matching(@Nullable String constraint) {
        if (constraint == null) {
            return MINORS;
        }
        try {
            VersionConstraint parsed = VersionConstraint.parse(constraint);
            return MINORS.stream()
                    .filter(minor -> parsed.allows(parse(version(minor))))
                    .toList();
        } catch (InvalidVersionException e) {
            return MINORS;
        }
    }

    private static SemanticVersion parse(String version) {
        try {
            return SemanticVersion.parse(version);
        } catch (InvalidVersionException e) {
            throw new IllegalArgumentException(version, e);
        }
    }
}
