package io.osmhub.core.lint;

import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.osc.OperatingSystemName;
import io.osmhub.core.osc.WireCloudProvider;
import io.osmhub.core.schema.AllowedValues;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

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
        List<String> systems = names(OperatingSystemName.class.getAnnotation(AllowedValues.class));
        List<String> providers = names(WireCloudProvider.class
                .getRecordComponents()[0]
                .getAnnotatedType()
                .getAnnotation(AllowedValues.class));
        Set<String> chosenSystems = new TreeSet<>();
        Set<String> chosenProviders = new TreeSet<>();
        Set<String> chosenVersions = new TreeSet<>();
        for (String word : words) {
            if (systems.contains(word)) {
                chosenSystems.add(word);
            } else if (providers.contains(word)) {
                chosenProviders.add(word);
            } else if (KubernetesVersions.MINORS.contains(word)) {
                chosenVersions.add(word);
            } else {
                throw new IllegalArgumentException(unknown(word, systems, providers));
            }
        }
        return new MatrixFilter(chosenSystems, chosenProviders, chosenVersions);
    }

    private static List<String> names(AllowedValues choices) {
        return Arrays.asList(Objects.requireNonNull(choices).value());
    }

    private static String unknown(String word, List<String> systems, List<String> providers) {
        if (!word.isEmpty() && Character.isDigit(word.charAt(0))) {
            return "\"" + word + "\" is not a rendered minor version; write one of " + KubernetesVersions.range();
        }
        List<String> known = new ArrayList<>(systems);
        known.addAll(providers);
        String guess = FindingsCollector.suggestClosest(word, known);
        return "\"" + word + "\" is not an operating system, cloud provider or Kubernetes minor version; "
                + (guess.isEmpty() ? "write for example ubuntu,aws,1.34" : guess);
    }

    boolean matches(String operatingSystem, String cloudProvider, String version) {
        return matches(operatingSystems, operatingSystem)
                && matches(cloudProviders, cloudProvider)
                && matches(kubernetesVersions, version);
    }

    private static boolean matches(Set<String> chosen, String one) {
        return chosen.isEmpty() || chosen.contains(one);
    }
}
