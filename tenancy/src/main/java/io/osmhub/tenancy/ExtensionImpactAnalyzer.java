package io.osmhub.tenancy;

import io.osmhub.core.osc.OperatingSystemConfigStatus.ProfileSource;
import io.osmhub.core.osp.ProfileExtension.Policy;
import io.osmhub.core.osp.ProfileExtension.Target;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.render.AppliedExtensions.Candidates;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.tenancy.admission.AdmissionView.ExtensionImpact;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.StoredProfile.ProfileContent;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What an extension or a changed profile conflicts with, and whom an extension reaches, by the stored objects of all tenants. */
record ExtensionImpactAnalyzer(ManagementStores stores, CompiledProfileCache compiledProfiles, String sharedNamespace) {
    static ExtensionImpactAnalyzer of(HubContext hub) {
        return new ExtensionImpactAnalyzer(
                hub.stores(), hub.compiledProfiles(), hub.settings().sharedProfileNamespace());
    }

    /** The effect of storing an extension. */
    ExtensionImpact analyze(CompiledExtension proposed) {
        String namespace = proposed.extension().namespace();
        boolean shared = namespace.equals(sharedNamespace);
        Set<String> tenants = tenantsOf(namespace).stream()
                .filter(tenant -> !shared || proposed.target().includesTenant(stores.labels(tenant)))
                .map(WorkerClusterRecord::namespace)
                .collect(Collectors.toSet());
        Set<Problem> conflicts = findConflicts(proposed, namespace);
        // Not counted if it is refused anyway: each tenant takes as long as the shared namespace.
        long conflictingTenants = tenants.stream()
                .filter(tenant -> shared && conflicts.isEmpty() && hasOwnObjects(tenant))
                .filter(tenant -> !findConflicts(proposed, tenant).isEmpty())
                .count();
        List<String> users = stores.configs().all().stream()
                .filter(listed -> tenants.contains(listed.config().namespace()) && isUser(proposed, listed))
                .map(listed -> listed.config().namespace())
                .toList();
        List<Problem> mistakes = new ArrayList<>(proposed.mistakes());
        mistakes.addAll(conflicts);
        return new ExtensionImpact(
                mistakes,
                (int) conflictingTenants,
                shared
                        ? stores.profiles().all().stream().noneMatch(profile -> isSelected(profile, proposed))
                        : tenants.isEmpty()
                                || selectedProfiles(proposed, namespace).isEmpty(),
                users.size(),
                (int) users.stream().distinct().count());
    }

    private boolean hasOwnObjects(String tenant) {
        return !stores.profiles().in(tenant).isEmpty()
                || !stores.extensions().in(tenant).isEmpty();
    }

    /** Whether it applies unless the MachineDeployment opts out, which its configuration does not store. */
    private static boolean isUser(CompiledExtension extension, ListedConfig listed) {
        ProfileSource profile = listed.config().source().profile();
        return extension.policy() != Policy.OPTIONAL
                && extension.target().includesProvider(listed.cloudProvider())
                && profile != null
                && profile.name() != null
                && extension.target().includesProfile(profile.name(), listed.osName());
    }

    /** New conflicts of the extensions in a profile's namespace and the shared one with a changed profile. */
    List<Problem> findConflicts(StoredProfile proposed) {
        StoredProfile stored = stores.profiles().find(proposed.namespace(), proposed.name());
        List<Problem> conflicts = new ArrayList<>();
        for (CompiledExtension extension : extensions(proposed.namespace())) {
            if (isSelected(proposed, extension)) {
                conflicts.addAll(findConflicts(proposed, List.of(extension)));
                conflicts.removeAll(findConflicts(stored, List.of(extension)));
            }
        }
        return conflicts;
    }

    /** Of an extension with the profiles and other extensions of a namespace and the shared one; of a tenant, only with its own. */
    private Set<Problem> findConflicts(CompiledExtension proposed, String namespace) {
        boolean ownOnly = !namespace.equals(proposed.extension().namespace());
        List<CompiledExtension> others = findOthers(proposed, namespace, extensions(namespace));
        List<CompiledExtension> own = others.stream()
                .filter(other -> other.extension().namespace().equals(namespace))
                .toList();
        Set<Problem> conflicts = new LinkedHashSet<>();
        for (StoredProfile profile : selectedProfiles(proposed, namespace)) {
            boolean known = ownOnly && profile.namespace().equals(sharedNamespace);
            if (!known || !own.isEmpty()) {
                conflicts.addAll(findConflicts(profile, known ? own : others, proposed));
            }
        }
        return conflicts;
    }

    /** The extensions before this one that it must not conflict with. */
    List<CompiledExtension> findEarlier(CompiledExtension extension) {
        String namespace = extension.extension().namespace();
        return findOthers(
                extension,
                namespace,
                extensions(namespace).stream()
                        .takeWhile(other -> !isSame(other, extension))
                        .toList());
    }

    private List<CompiledExtension> findOthers(
            CompiledExtension extension, String namespace, List<CompiledExtension> all) {
        return all.stream()
                .filter(other -> canMeet(other, extension, tenantsOf(namespace)))
                .toList();
    }

    /** Of an extension with a profile and others before it, which need not meet each other. */
    Set<Problem> findConflicts(StoredProfile profile, List<CompiledExtension> others, CompiledExtension extension) {
        List<CompiledExtension> applied =
                others.stream().filter(other -> isSelected(profile, other)).toList();
        List<CompiledExtension> all = new ArrayList<>(applied);
        all.add(extension);
        Set<Problem> conflicts = new LinkedHashSet<>(findConflicts(profile, all));
        if (conflicts.isEmpty()) {
            return conflicts;
        }
        List<Problem> known = findConflicts(profile, applied);
        known.forEach(conflicts::remove);
        // What is refused beside another of them may still conflict with this one.
        for (CompiledExtension other : applied) {
            ProblemObject refused = other.extension().describe();
            if (known.stream().anyMatch(problem -> problem.object().equals(refused))) {
                List<Problem> together = new ArrayList<>(findConflicts(profile, List.of(other, extension)));
                together.removeAll(findConflicts(profile, List.of(other)));
                conflicts.addAll(together);
            }
        }
        return conflicts;
    }

    /** Of extensions with each other and with a profile; none without one that can be read. */
    private List<Problem> findConflicts(@Nullable StoredProfile profile, List<CompiledExtension> extensions) {
        ProfileContent content = profile == null ? null : profile.content();
        return profile == null || content == null
                ? List.of()
                : new RenderInput.Profile(profile.namespace(), profile.name(), content.compiled(compiledProfiles))
                        .with(new AppliedExtensions(sharedNamespace, extensions, List.of(), Map.of()))
                        .findConflicts();
    }

    /** Whether both apply to a MachineDeployment that chooses none, of one of the tenants. */
    private boolean canMeet(
            CompiledExtension other, CompiledExtension extension, Collection<WorkerClusterRecord> tenants) {
        Target one = other.target();
        Target two = extension.target();
        return !isSame(other, extension)
                && other.policy() != Policy.OPTIONAL
                && extension.policy() != Policy.OPTIONAL
                && (one.cloudProviders().isEmpty()
                        || two.cloudProviders().isEmpty()
                        || !Collections.disjoint(one.cloudProviders(), two.cloudProviders()))
                && (one.tenants() == null
                        || tenants.stream()
                                .map(stores::labels)
                                .anyMatch(labels -> one.includesTenant(labels) && two.includesTenant(labels)));
    }

    private static boolean isSame(CompiledExtension one, CompiledExtension other) {
        return one.extension().path().equals(other.extension().path());
    }

    private static boolean isSelected(StoredProfile profile, CompiledExtension extension) {
        ProfileContent content = profile.content();
        return content != null
                && extension
                        .target()
                        .includesProfile(profile.name(), content.spec().osName());
    }

    /** Whose MachineDeployments extensions of a namespace may reach. */
    private Collection<WorkerClusterRecord> tenantsOf(String namespace) {
        return namespace.equals(sharedNamespace)
                ? stores.workerClusters().all()
                : stores.workerClusters().recordsIn(namespace);
    }

    /** Those of the shared namespace and another one, in the order in which they are applied. */
    private List<CompiledExtension> extensions(String namespace) {
        List<CompiledExtension> readable = Stream.of(sharedNamespace, namespace)
                .distinct()
                .flatMap(place -> stores.extensions().in(place).values().stream())
                .flatMap(stored -> Stream.ofNullable(stored.compiled()))
                .toList();
        return new Candidates(sharedNamespace, readable).extensions();
    }

    /** Of the shared namespace and one whose profiles hide those of the same name. */
    List<StoredProfile> selectedProfiles(CompiledExtension extension, String namespace) {
        Map<String, StoredProfile> byName = new TreeMap<>(stores.profiles().in(sharedNamespace));
        byName.putAll(stores.profiles().in(namespace));
        return byName.values().stream()
                .filter(profile -> isSelected(profile, extension))
                .toList();
    }
}
