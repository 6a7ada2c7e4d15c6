package io.osmhub.core.lint;

import com.fasterxml.jackson.databind.JsonNode;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.resource.ShippedDefinition;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.SemanticVersion.InvalidVersionException;
import io.osmhub.core.version.VersionConstraint;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The combinations of a profile that are rendered. An empty set selects all.
 *
 * @param kubernetesVersions minor versions
 */
public record MatrixFilter(Set<String> operatingSystems, Set<String> cloudProviders, Set<String> kubernetesVersions) {
    public static final MatrixFilter ALL = new MatrixFilter(Set.of(), Set.of(), Set.of());

    public MatrixFilter {
        operatingSystems = Set.copyOf(operatingSystems);
        cloudProviders = Set.copyOf(cloudProviders);
        kubernetesVersions = Set.copyOf(kubernetesVersions);
    }

    /**
     * Parses names of operating systems and cloud providers and minor versions, in any order; the format tells them apart.
     *
     * @throws IllegalArgumentException for an unknown word; the message suggests a fix
     */
    public static MatrixFilter of(List<String> words) {
        List<String> systems = names("osName");
        List<String> providers = names("supportedCloudProviders/items/properties/name");
        List<String> known = Stream.of(systems, providers, KubernetesVersions.MINORS)
                .flatMap(List::stream)
                .toList();
        for (String word : words) {
            if (!known.contains(word)) {
                String guess = FindingsCollector.suggestClosest(word, known);
                throw new IllegalArgumentException(
                        "\"" + word + "\" is not an operating system, cloud provider or Kubernetes minor version from "
                                + KubernetesVersions.range() + "; "
                                + (guess.isEmpty() ? "write for example ubuntu,aws,1.34" : guess));
            }
        }
        return new MatrixFilter(
                retained(words, systems), retained(words, providers), retained(words, KubernetesVersions.MINORS));
    }

    /** The values of a field of a profile's spec. */
    private static List<String> names(String field) {
        return ShippedDefinition.OPERATING_SYSTEM_PROFILES
                .schema()
                .at("/properties/spec/properties/" + field + "/enum")
                .valueStream()
                .map(JsonNode::asText)
                .toList();
    }

    private static Set<String> retained(List<String> words, List<String> known) {
        return words.stream().filter(known::contains).collect(Collectors.toSet());
    }

    boolean matches(String operatingSystem, String cloudProvider, String version) {
        return matches(operatingSystems, operatingSystem)
                && matches(cloudProviders, cloudProvider)
                && matches(kubernetesVersions, version);
    }

    private static boolean matches(Set<String> chosen, String one) {
        return chosen.isEmpty() || chosen.contains(one);
    }

    /** The Kubernetes versions for which profiles are rendered, checked and tested. */
    public static final class KubernetesVersions {
        /** Minor versions, oldest first. */
        public static final List<String> MINORS = LintMatrix.KUBERNETES_VERSIONS;

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
                List<String> allowed = new ArrayList<>();
                for (String minor : MINORS) {
                    if (parsed.allows(SemanticVersion.parse(version(minor)))) {
                        allowed.add(minor);
                    }
                }
                return allowed;
            } catch (InvalidVersionException e) {
                return MINORS;
            }
        }
    }
}
