package io.osmhub.tenancy;

import io.osmhub.core.osc.OperatingSystemConfigStatus.ProfileSource;
import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.OperatingSystemProfileStatus.Users;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.management.NamespaceEventRecorder;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventRecorder.Regarding;
import io.osmhub.workersync.watch.ObjectKey;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/** Verifies extensions with the profiles that they select, and writes the result and their users into their statuses. */
record ExtensionReporter(HubContext hub, NamespaceEventRecorder eventRecorder) {
    /** In a status, whose schema allows no more. */
    private static final int MOST_SKIPPED = 20;

    /** Reports all extensions of the namespaces that this replica serves; there are few. */
    void report() {
        ManagementStores stores = hub.stores();
        if (stores.extensions().all().isEmpty() || stores.extensions().isAbsent()) {
            return;
        }
        Map<ObjectKey, Users> users = stores.configs()
                .countUsers(source ->
                        NullableCollections.stream(source.extensions()).map(StoredExtension::keyOf));
        Map<ObjectKey, SortedSet<String>> skipped = findSkipped();
        for (StoredExtension extension : stores.extensions().all()) {
            if (hub.serves(extension.namespace())) {
                ObjectKey key = new ObjectKey(extension.namespace(), extension.name());
                report(extension, users.get(key), skipped.getOrDefault(key, new TreeSet<>()));
            }
        }
    }

    /** @param users null if there are none */
    private void report(StoredExtension extension, @Nullable Users users, SortedSet<String> skipped) {
        String namespace = extension.namespace();
        ProfileExtension.Status before = extension.status();
        CompiledExtension compiled = extension.compiled();
        Problem found = compiled == null || !extension.mistakes().isEmpty()
                ? extension.mistakes().getFirst()
                : verify(compiled, users != null);
        found = found.inTenant(namespace, "");
        ProfileExtension.Status status = new ProfileExtension.Status(
                extension.generation(),
                List.of(OperatingSystemProfileStatus.valid(
                        before == null ? null : before.conditions(),
                        extension.generation(),
                        found,
                        hub.runtimeContext().scheduler().now())),
                compiled == null ? null : compiled.extension().contentHash(),
                Objects.requireNonNullElse(users, new Users(0, 0)),
                NullableCollections.nullIfEmpty(
                        skipped.stream().limit(MOST_SKIPPED).toList()),
                found.reason() == Reason.TemplatesVerified ? null : List.of(StoredProblem.of(found)));
        if (status.equals(before)) {
            return;
        }
        hub.stores().statuses().enqueue(hub.stores().extensions(), namespace, extension.name(), WireJson.tree(status));
        if (status.problems() != null && (before == null || !status.problems().equals(before.problems()))) {
            String version = Resource.OPERATING_SYSTEM_PROFILE_EXTENSIONS.apiVersion();
            Regarding itself =
                    new Regarding(version, ProfileExtension.KIND, namespace, extension.name(), extension.uid());
            eventRecorder.events(namespace).recordEvent(itself, null, found);
        }
    }

    /** Profiles for which an optional change did nothing, by extension. */
    private Map<ObjectKey, SortedSet<String>> findSkipped() {
        Map<ObjectKey, SortedSet<String>> skipped = new HashMap<>();
        for (StoredConfig config : hub.stores().configs().configs()) {
            ProfileSource profile = config.source().profile();
            if (profile != null) {
                NullableCollections.stream(config.source().extensions())
                        .filter(source -> source.skipped() != null)
                        .forEach(source -> skipped.computeIfAbsent(
                                        StoredExtension.keyOf(source), first -> new TreeSet<>())
                                .add(profile.namespace() + "/" + profile.name()));
            }
        }
        return skipped;
    }

    /**
     * Only its own and the shared profiles and extensions can make an extension invalid: one for all tenants does not depend on their
     * objects. Of two in conflict, the later one in their order is invalid.
     */
    private Problem verify(CompiledExtension extension, boolean isUsed) {
        String namespace = extension.extension().namespace();
        String shared = hub.settings().sharedProfileNamespace();
        ProblemObject itself = extension.extension().describe();
        if (!namespace.equals(shared)
                && hub.stores().workerClusters().recordsIn(namespace).isEmpty()) {
            return new Problem(
                    Reason.ExtensionTargetsNothing,
                    itself,
                    "metadata.namespace",
                    namespace + " is not a tenant's",
                    "create it in " + shared + " or in a tenant's namespace");
        }
        ExtensionImpactAnalyzer analyzer = ExtensionImpactAnalyzer.of(hub);
        List<StoredProfile> selected = analyzer.selectedProfiles(extension, namespace);
        List<CompiledExtension> earlier = analyzer.findEarlier(extension);
        List<Problem> ofUnused = new ArrayList<>();
        boolean fits = false;
        for (StoredProfile profile : selected) {
            Set<Problem> conflicts = analyzer.findConflicts(profile, earlier, extension);
            if (!conflicts.isEmpty() && isUsed(profile)) {
                return conflicts.iterator().next();
            }
            fits |= conflicts.isEmpty();
            ofUnused.addAll(conflicts);
        }
        // A profile that no MachineDeployment uses, such as an example, does not make it invalid for the others.
        if (!ofUnused.isEmpty() && !fits) {
            return ofUnused.getFirst();
        }
        // Profiles of worker clusters can be selected too.
        if (!isUsed && selected.isEmpty()) {
            return Reason.ExtensionTargetsNothing.with("extension", itself.path());
        }
        String exception = ofUnused.isEmpty()
                ? ""
                : ", not for an unused profile: " + ofUnused.getFirst().cause();
        return new Problem(
                Reason.TemplatesVerified, itself, "", extension.describeContent() + " verified" + exception, "");
    }

    /** By the counts in its status. */
    private static boolean isUsed(StoredProfile profile) {
        OperatingSystemProfileStatus status = profile.status();
        Users users = status == null ? null : status.usedBy();
        return users != null && !Objects.equals(users.machineDeployments(), 0);
    }
}
