package io.osmhub.core.lint;

import io.osmhub.core.document.Mistakes;
import io.osmhub.core.osc.OperatingSystemName;
import io.osmhub.core.osc.WireCloudProvider;
import io.osmhub.core.schema.Choices;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;

/**
 * The part of a profile's combinations that is rendered. An empty set takes all.
 *
 * @param kubernetesVersions minors
 */
public record MatrixChoice(Set<String> operatingSystems, Set<String> cloudProviders, Set<String> kubernetesVersions) {
    public static final MatrixChoice ALL = new MatrixChoice(Set.of(), Set.of(), Set.of());

    public MatrixChoice {
        operatingSystems = Set.copyOf(operatingSystems);
        cloudProviders = Set.copyOf(cloudProviders);
        kubernetesVersions = Set.copyOf(kubernetesVersions);
    }

    /**
     * Reads names of operating systems and cloud providers and minor versions, in any order; each is known by what it looks like.
     *
     * @throws IllegalArgumentException for a word that is none of them; its message says so, with a cure
     */
    public static MatrixChoice of(List<String> words) {
        List<String> systems = names(OperatingSystemName.class.getAnnotation(Choices.class));
        List<String> providers = names(WireCloudProvider.class
                .getRecordComponents()[0]
                .getAnnotatedType()
                .getAnnotation(Choices.class));
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
        return new MatrixChoice(chosenSystems, chosenProviders, chosenVersions);
    }

    private static List<String> names(Choices choices) {
        return Arrays.asList(Objects.requireNonNull(choices).value());
    }

    private static String unknown(String word, List<String> systems, List<String> providers) {
        if (!word.isEmpty() && Character.isDigit(word.charAt(0))) {
            return "\"" + word + "\" is not a rendered minor version; write one of " + KubernetesVersions.range();
        }
        List<String> known = new ArrayList<>(systems);
        known.addAll(providers);
        String guess = Mistakes.didYouMean(word, known);
        return "\"" + word + "\" is not an operating system, cloud provider or Kubernetes minor version; "
                + (guess.isEmpty() ? "write for example ubuntu,aws,1.34" : guess);
    }

    boolean takes(String operatingSystem, String cloudProvider, String version) {
        return takes(operatingSystems, operatingSystem)
                && takes(cloudProviders, cloudProvider)
                && takes(kubernetesVersions, version);
    }

    private static boolean takes(Set<String> chosen, String one) {
        return chosen.isEmpty() || chosen.contains(one);
    }
}
