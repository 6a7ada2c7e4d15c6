package io.osmhub.tenancy;

import io.osmhub.core.osc.OperatingSystemConfigStatus.ProfileSource;
import io.osmhub.core.osc.OperatingSystemConfigStatus.RenderSource;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.osp.ProfileExtension.Policy;
import io.osmhub.core.osp.ProfileExtension.Target;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.tenancy.admission.AdmissionView.ExtensionImpact;
import io.osmhub.tenancy.catalog.ConfigCache.ListedConfig;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.StoredProfile.ProfileContent;
import io.osmhub.tenancy.registry.WorkerClusterRecord;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** What a proposed extension or profile conflicts with and whom it reaches, by the stored objects of all tenants. */
record ExtensionImpactAnalyzer(ManagementStores stores, CompiledProfileCache compiledProfiles, String sharedNamespace) {
    static ExtensionImpactAnalyzer of(HubContext hub) {
        return new ExtensionImpactAnalyzer(
                hub.stores(), hub.compiledProfiles(), hub.settings().sharedProfileNamespace());
    }

    ExtensionImpact analyze(CompiledExtension proposed) {
        ProfileExtension extension = proposed.extension();
        String namespace = extension.namespace();
        boolean shared = namespace.equals(sharedNamespace);
        Set<String> tenants = stores.workerClusters().all().stream()
                .filter(record -> shared
                        ? extension.spec().target().includesTenant(record.head().labels())
                        : record.namespace().equals(namespace))
                .map(WorkerClusterRecord::namespace)
                .collect(Collectors.toSet());
        Set<Problem> conflicts = findConflicts(proposed, namespace);
        long conflictingTenants = tenants.stream()
                .filter(tenant -> shared && !findConflicts(proposed, tenant).isEmpty())
                .count();
        List<String> users = stores.configs().all().stream()
                .filter(listed -> tenants.contains(listed.config().namespace()) && isUser(extension, listed))
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

    /** New conflicts of the extensions in a profile's namespace and the shared one with a changed profile. */
    List<Problem> findConflicts(StoredProfile proposed) {
        StoredProfile stored = stores.profiles().in(proposed.namespace()).get(proposed.name());
        List<Problem> conflicts = new ArrayList<>();
        for (CompiledExtension extension : extensions(proposed.namespace())) {
            if (isSelected(proposed, extension)) {
                conflicts.addAll(findConflicts(proposed, List.of(extension)));
                conflicts.removeAll(findConflicts(stored, List.of(extension)));
            }
        }
        return conflicts;
    }

    /** With profiles, alone or together with another extension that applies unasked; of a tenant, only with its own objects. */
    private Set<Problem> findConflicts(CompiledExtension proposed, String namespace) {
        boolean ownOnly = !namespace.equals(proposed.extension().namespace());
        List<CompiledExtension> others = extensions(namespace).stream()
                .filter(other -> canMeet(other.extension(), proposed.extension(), namespace))
                .toList();
        Set<Problem> conflicts = new LinkedHashSet<>();
        for (StoredProfile profile : selectedProfiles(proposed, namespace)) {
            boolean known = ownOnly && profile.namespace().equals(sharedNamespace);
            if (!known) {
                conflicts.addAll(findConflicts(profile, List.of(proposed)));
            }
            for (CompiledExtension other : others) {
                if (isSelected(profile, other)
                        && !(known && other.extension().namespace().equals(sharedNamespace))) {
                    List<Problem> together = new ArrayList<>(findConflicts(profile, List.of(other, proposed)));
                    if (!together.isEmpty()) {
                        together.removeAll(findConflicts(profile, List.of(other)));
                        conflicts.addAll(together);
                    }
                }
            }
        }
        return conflicts;
    }

    /** Conflicts of extensions with each other and with a profile; none without one that can be read. */
    List<Problem> findConflicts(@Nullable StoredProfile profile, List<CompiledExtension> extensions) {
        ProfileContent content = profile == null ? null : profile.content();
        return profile == null || content == null
                ? List.of()
                : new RenderInput.Profile(profile.namespace(), profile.name(), content.compiled(compiledProfiles))
                        .with(new AppliedExtensions(sharedNamespace, extensions, List.of(), Map.of()))
                        .findConflicts();
    }

    private boolean canMeet(ProfileExtension other, ProfileExtension proposed, String namespace) {
        Target one = other.spec().target();
        Target two = proposed.spec().target();
        return !other.path().equals(proposed.path())
                && other.spec().policy() != Policy.OPTIONAL
                && proposed.spec().policy() != Policy.OPTIONAL
                && (one.cloudProviders().isEmpty()
                        || two.cloudProviders().isEmpty()
                        || !Collections.disjoint(one.cloudProviders(), two.cloudProviders()))
                && (one.tenants() == null
                        || stores.workerClusters().all().stream()
                                .filter(record ->
                                        namespace.equals(sharedNamespace) || namespace.equals(record.namespace()))
                                .map(record -> record.head().labels())
                                .anyMatch(labels -> one.includesTenant(labels) && two.includesTenant(labels)));
    }

    private static boolean isSelected(StoredProfile profile, CompiledExtension extension) {
        ProfileContent content = profile.content();
        Target target = extension.extension().spec().target();
        return content != null
                && target.includesProfile(profile.name(), content.spec().osName());
    }

    /** Whether it applies unless the MachineDeployment opts out, which its configuration does not store. */
    private static boolean isUser(ProfileExtension extension, ListedConfig listed) {
        Target target = extension.spec().target();
        RenderSource source = listed.config().source();
        ProfileSource profile = source.profile();
        return extension.spec().policy() != Policy.OPTIONAL
                && target.includesProvider(listed.cloudProvider())
                && profile != null
                && profile.name() != null
                && target.includesProfile(profile.name(), listed.osName());
    }

    private List<CompiledExtension> extensions(String namespace) {
        return Stream.of(sharedNamespace, namespace)
                .distinct()
                .flatMap(place -> stores.extensions().in(place).values().stream())
                .flatMap(stored -> Stream.ofNullable(stored.compiled()))
                .toList();
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
