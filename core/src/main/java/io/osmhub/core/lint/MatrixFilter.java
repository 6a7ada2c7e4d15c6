package io.osmhub.core.lint;

import io.osmhub.core.bootstrap.ApiServerEndpoint;
import io.osmhub.core.document.FindingsCollector;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ReferenceResolver;
import io.osmhub.core.model.Sensitive;
import io.osmhub.core.osc.OperatingSystemName;
import io.osmhub.core.osc.WireCloudProvider;
import io.osmhub.core.osp.OperatingSystemProfile;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.RenderInput;
import io.osmhub.core.schema.AllowedValues;
import io.osmhub.core.version.InvalidVersionException;
import io.osmhub.core.version.SemanticVersion;
import io.osmhub.core.version.VersionConstraint;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

    /** One combination in which a profile is rendered. {@code version} is a minor version, for example {@code 1.34}. */
    record MatrixCombination(String cloudProvider, String version, LintScenario situation) {
        private static final String NAMESPACE = "kube-system";
        private static final ApiServerEndpoint API_SERVER = new ApiServerEndpoint(
                "https://api.shop.example.org:6443",
                new TreeMap<>(Map.of(
                        "certificate-authority-data",
                        '"'
                                + Base64.getEncoder().encodeToString(LintScenario.CA.getBytes(StandardCharsets.UTF_8))
                                + '"')));
        private static final RenderInput.BootstrapAccess ACCESS = new RenderInput.BootstrapAccess(
                API_SERVER,
                new Sensitive("abcdef.0123456789abcdef"),
                new Sensitive("eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiJleGFtcGxlIn0.c2lnbmF0dXJl"));

        /** For users: {@code aws, Kubernetes 1.34, everything set}. */
        String label() {
            return cloudProvider + ", Kubernetes " + version + ", " + situation.label();
        }

        RenderInput input(OperatingSystemProfile profile, CompiledProfile compiled) {
            OperatingSystemProfile.Spec spec = compiled.spec();
            String utility = spec.provisioningUtility().isEmpty() ? "cloud-init" : spec.provisioningUtility();
            Map<String, String> annotations = new HashMap<>(situation.annotations());
            annotations.put(MachineDeployment.PROFILE, profile.name());
            annotations.put(MachineDeployment.REVISION, "1");
            MachineDeployment machineDeployment = MachineDeployment.of(
                    NAMESPACE,
                    "workers",
                    annotations,
                    KubernetesVersions.version(version),
                    situation.providerSpec(spec.osName(), utility, cloudProvider));
            return new RenderInput(
                    NAMESPACE,
                    machineDeployment,
                    new RenderInput.Profile(profile.namespace(), profile.name(), compiled),
                    situation.settings(),
                    ACCESS,
                    new RenderInput.References(
                            LintScenario.CA, situation.hostCa(), situation.registryCredentials(), null, Map.of()),
                    reference -> new ReferenceResolver.ResolveResult.NoObject());
        }
    }

    /** The Kubernetes versions for which profiles are rendered, checked and tested. */
    public static final class KubernetesVersions {
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
}
