package io.osmhub.api.admission;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.plan.Facts.LookupResult;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.KubeletSettings;
import io.osmhub.core.render.ProfileCompatibility;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.template.SpellingSuggestion;
import io.osmhub.tenancy.admission.AdmissionView.AdmittedTenant;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Validates a MachineDeployment against the state of its tenant. */
final class MachineDeploymentValidator {
    private static final String DOMAIN = "osmhub.io/";

    private final AdmittedTenant tenant;

    /**
     * Validation results.
     *
     * @param mistakes prevent publishing; each is new with this change
     * @param warnings do not prevent publishing
     */
    record MachineDeploymentFindings(List<Problem> mistakes, List<String> warnings) {
        MachineDeploymentFindings {
            mistakes = List.copyOf(mistakes);
            warnings = List.copyOf(warnings);
        }
    }

    MachineDeploymentValidator(AdmittedTenant tenant) {
        this.tenant = tenant;
    }

    /** Whether the tenant has the named profile. */
    boolean hasProfile(MachineDeployment machineDeployment) {
        LookupResult<RenderInput.Profile> result = tenant.profiles().find(machineDeployment);
        return result.value() != null
                || result.findings().stream()
                        .anyMatch(finding -> finding.reason() == Reason.ExtensionNotFound
                                || finding.reason() == Reason.ExtensionConflict);
    }

    /** @param before stored state; null if new */
    MachineDeploymentFindings check(MachineDeployment now, @Nullable MachineDeployment before) {
        List<Problem> mistakes = new ArrayList<>();
        List<String> warnings = new ArrayList<>();
        if (before == null) {
            // Names are immutable, so only new objects can be fixed.
            mistakes.addAll(ObjectNames.of(now).findTooLongNames());
            collision(now, warnings);
        }
        profile(now, mistakes, warnings);
        if (before != null) {
            dropExisting(before, mistakes, warnings);
        }
        boolean renders = mistakes.isEmpty() && warnings.isEmpty();
        warnings.addAll(contentWarnings(now, renders));
        return new MachineDeploymentFindings(mistakes, warnings);
    }

    /** Mistakes in its annotations about the kubelet and extensions, and those of a rendering if {@code renders}. */
    List<String> contentWarnings(MachineDeployment machineDeployment, boolean renders) {
        Set<String> warnings = new LinkedHashSet<>();
        RenderInput.Profile profile = tenant.profiles().find(machineDeployment).value();
        Stream.concat(
                        KubeletSettings.findMistakes(machineDeployment).stream(),
                        profile == null ? Stream.empty() : profile.applied().warnings().stream())
                .forEach(finding -> warnings.add(
                        finding.inTenant(tenant.namespace(), tenant.name()).message()));
        warnings.addAll(findMisspelt(machineDeployment));
        if (renders) {
            warnings.addAll(tenant.trial().apply(machineDeployment));
        }
        return List.copyOf(warnings);
    }

    /** Annotations that may be meant to choose extensions. */
    static List<String> findMisspelt(MachineDeployment machineDeployment) {
        List<String> known = List.of(ProfileExtension.CHOICE.substring(DOMAIN.length()));
        return machineDeployment.annotations().keySet().stream()
                .filter(annotation -> annotation.startsWith(DOMAIN)
                        && !annotation.equals(ProfileExtension.CHOICE)
                        && SpellingSuggestion.findClosest(annotation.substring(DOMAIN.length()), known)
                                .isPresent())
                .map(annotation ->
                        "annotation " + annotation + " has no effect; did you mean " + ProfileExtension.CHOICE + "?")
                .toList();
    }

    private void profile(MachineDeployment machineDeployment, List<Problem> mistakes, List<String> warnings) {
        LookupResult<RenderInput.Profile> result = tenant.profiles().find(machineDeployment);
        for (Problem finding : result.findings()) {
            if (finding.reason() == Reason.ProfileNamespaceNotGranted) {
                mistakes.add(finding);
            } else {
                // It may be created a moment later by the same pipeline.
                warnings.add(finding.toString());
            }
        }
        RenderInput.Profile profile = result.value();
        if (profile != null) {
            mistakes.addAll(ProfileCompatibility.completeFixes(
                    ProfileCompatibility.findIncompatibilities(
                            profile.compiled().spec(), profile.name(), machineDeployment),
                    profile,
                    machineDeployment));
            if (!profile.compiled().mistakes().isEmpty()) {
                warnings.add(
                        "OperatingSystemProfile " + profile.name() + " cannot be rendered; see its condition Valid");
            }
        }
    }

    /** Existing mistakes do not block another change; they become warnings. */
    private void dropExisting(MachineDeployment before, List<Problem> mistakes, List<String> warnings) {
        if (mistakes.isEmpty()) {
            return;
        }
        List<Problem> old = new ArrayList<>();
        profile(before, old, new ArrayList<>());
        for (Problem mistake : List.copyOf(mistakes)) {
            if (old.contains(mistake)) {
                mistakes.remove(mistake);
                warnings.add(mistake.toString());
            }
        }
    }

    private void collision(MachineDeployment machineDeployment, List<String> warnings) {
        ObjectKey own = new ObjectKey(machineDeployment.namespace(), machineDeployment.name());
        SortedSet<String> claims = ObjectNames.of(machineDeployment).claimedNames();
        for (ObjectKey other : tenant.machineDeployments().get()) {
            if (other.equals(own)) {
                continue;
            }
            Set<String> shared = new HashSet<>(new ObjectNames(other.namespace(), other.name()).claimedNames());
            shared.retainAll(claims);
            if (!shared.isEmpty()) {
                String taken = shared.iterator().next();
                int blank = taken.lastIndexOf(' ');
                warnings.add(Reason.NameCollision.with(
                                "tenant", tenant.namespace(),
                                "md", own.toString(),
                                "kind", taken.substring(0, blank),
                                "name", taken.substring(blank + 1),
                                "md2", other.toString())
                        .message());
                return;
            }
        }
    }
}
