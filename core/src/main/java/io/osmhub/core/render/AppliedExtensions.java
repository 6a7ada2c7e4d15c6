package io.osmhub.core.render;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.machine.ProviderConfig;
import io.osmhub.core.model.Sha256;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileExtension.Policy;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.TenantMistake;
import io.osmhub.core.template.SpellingSuggestion;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/**
 * The extensions that apply to one MachineDeployment. Immutable.
 *
 * @param sharedNamespace whose extensions are for all tenants
 * @param extensions in the order in which they are applied
 * @param warnings about the choice of the MachineDeployment
 * @param unreadable why an extension cannot be read, by its {@link ProfileExtension#path}, or why none can, by the empty text.
 *     Content that was published with it stays as it is.
 */
public record AppliedExtensions(
        String sharedNamespace,
        List<CompiledExtension> extensions,
        List<Problem> warnings,
        Map<String, Problem> unreadable) {
    public static final AppliedExtensions NONE = new AppliedExtensions("", List.of(), List.of(), Map.of());
    private static final int MOST = 32;
    private static final Pattern SUFFIX = Pattern.compile("[+.]ext\\.[0-9a-f]{8}$");
    private static final String FIELD = "annotation " + ProfileExtension.CHOICE;

    public AppliedExtensions {
        extensions = List.copyOf(extensions);
        warnings = List.copyOf(warnings);
        unreadable = Map.copyOf(unreadable);
    }

    /** The same with objects that cannot be read. */
    public AppliedExtensions withUnreadable(Map<String, Problem> objects) {
        return objects.isEmpty() && unreadable.isEmpty()
                ? this
                : new AppliedExtensions(sharedNamespace, extensions, warnings, objects);
    }

    /** The version that is shown and stored: of the profile, with the first digits of the composed hash. */
    String version(String profileVersion, String profileHash) {
        if (extensions.isEmpty()) {
            return profileVersion;
        }
        String suffix = "ext." + contentHash(profileHash).substring(0, 8);
        return profileVersion + (profileVersion.contains("+") ? "." : "+") + suffix;
    }

    /** The profile's own version in one that is shown and stored; the same if it has no digits of a composed hash. */
    public static String baseVersion(String composed) {
        return SUFFIX.matcher(composed).replaceFirst("");
    }

    /** SHA-256 of the profile's content and that of the extensions; the profile's without any. */
    String contentHash(String profileHash) {
        if (extensions.isEmpty()) {
            return profileHash;
        }
        StringBuilder parts = new StringBuilder(profileHash);
        extensions.forEach(applied -> parts.append('\n')
                .append(applied.extension().path())
                .append(' ')
                .append(applied.extension().spec().order())
                .append(' ')
                .append(applied.extension().contentHash()));
        return Sha256.hex(parts.toString());
    }

    /**
     * The extensions that a tenant can use.
     *
     * @param extensions of the shared namespace that select the tenant, and those of its own namespace; kept in the order in which
     *     they are applied
     */
    public record Candidates(String sharedNamespace, List<CompiledExtension> extensions) {
        public static final Candidates NONE = new Candidates("", List.of());

        public Candidates {
            extensions = extensions.stream()
                    .sorted(Comparator.comparing((CompiledExtension candidate) ->
                                    !candidate.extension().namespace().equals(sharedNamespace))
                            .thenComparingInt(
                                    candidate -> candidate.extension().spec().order())
                            .thenComparing(candidate -> candidate.extension().name()))
                    .toList();
        }

        /**
         * Selects what applies.
         *
         * @param name of the profile
         * @throws TenantMistake if the MachineDeployment names an extension that does not exist or does not fit
         */
        public AppliedExtensions select(String name, String osName, MachineDeployment machineDeployment) {
            String choice = machineDeployment.annotations().getOrDefault(ProfileExtension.CHOICE, "");
            if (extensions.isEmpty() && choice.isEmpty()) {
                return AppliedExtensions.NONE;
            }
            String provider = ProviderConfig.decode(machineDeployment).lenient().cloudProvider();
            List<CompiledExtension> fitting = fitting(name, osName, provider);
            // The tenant's own come last, and are meant by a name that a shared one has too.
            Map<String, CompiledExtension> byName = new TreeMap<>();
            fitting.forEach(candidate -> byName.put(candidate.extension().name(), candidate));
            List<Problem> warnings = new ArrayList<>();
            Set<CompiledExtension> in = new HashSet<>();
            Set<CompiledExtension> out = new HashSet<>();
            List<Problem> mistakes = new ArrayList<>();
            for (String word : choice.split(",", -1)) {
                String wanted = word.strip();
                boolean without = wanted.startsWith("-");
                CompiledExtension named =
                        byName.get(without ? wanted.substring(1).strip() : wanted);
                if (named == null) {
                    if (!wanted.isEmpty() && !without) {
                        mistakes.add(notFound(wanted, byName.keySet(), machineDeployment));
                    }
                } else if (without && named.policy() == Policy.ENFORCED) {
                    warnings.add(new Problem(
                            Reason.ExtensionEnforced,
                            machineDeployment.describe(),
                            FIELD,
                            wanted + " has no effect, because "
                                    + named.extension().describe() + " is Enforced",
                            "remove " + wanted + " from the annotation"));
                } else {
                    (without ? out : in).add(named);
                }
            }
            List<CompiledExtension> applied = fitting.stream()
                    .filter(candidate -> !out.contains(candidate)
                            && (candidate.policy() != Policy.OPTIONAL || in.contains(candidate)))
                    .toList();
            if (applied.size() > MOST) {
                mistakes.add(new Problem(
                        Reason.ExtensionConflict,
                        machineDeployment.describe(),
                        FIELD,
                        applied.size() + " extensions apply, at most " + MOST + " may",
                        "combine some of them"));
            }
            if (!mistakes.isEmpty()) {
                throw new TenantMistake(mistakes);
            }
            return new AppliedExtensions(sharedNamespace, applied, warnings, Map.of());
        }

        /** Selects all that fit, whatever their policy is: for extensions that the user has named. */
        public AppliedExtensions selectFitting(String name, String osName, String provider) {
            List<CompiledExtension> fitting = fitting(name, osName, provider);
            return fitting.isEmpty()
                    ? AppliedExtensions.NONE
                    : new AppliedExtensions(sharedNamespace, fitting, List.of(), Map.of());
        }

        private List<CompiledExtension> fitting(String name, String osName, String provider) {
            return extensions.stream()
                    .filter(candidate -> candidate.target().includesProfile(name, osName)
                            && candidate.target().includesProvider(provider))
                    .toList();
        }

        private Problem notFound(String wanted, Set<String> fitting, MachineDeployment machineDeployment) {
            boolean exists = extensions.stream()
                    .anyMatch(candidate -> candidate.extension().name().equals(wanted));
            String suggestion = SpellingSuggestion.findClosest(wanted, fitting)
                    .map(near -> "did you mean \"" + near + "\"?")
                    .orElse(exists ? "remove it, or extend its target" : "create it, or remove it from the annotation");
            return new Problem(
                    Reason.ExtensionNotFound,
                    machineDeployment.describe(),
                    FIELD,
                    exists
                            ? "the target of extension " + wanted + " does not include profile and cloud provider"
                            : "no extension " + wanted + " can be used by this tenant",
                    suggestion);
        }
    }
}
