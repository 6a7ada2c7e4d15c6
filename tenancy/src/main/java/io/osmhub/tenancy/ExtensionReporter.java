package io.osmhub.tenancy;

import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.OperatingSystemProfileStatus.Users;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.render.CompiledProfile;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.StoredProfile.ProfileContent;
import io.osmhub.tenancy.management.NamespaceEventRecorder;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventRecorder.Regarding;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Verifies extensions with the profiles that they select, and writes the result and their users into their statuses. */
record ExtensionReporter(HubContext hub, NamespaceEventRecorder eventRecorder) {
    /** Reports all extensions of the namespaces that this replica serves; there are few. */
    void report() {
        ManagementStores stores = hub.stores();
        if (stores.extensions().all().isEmpty() || stores.extensions().isAbsent()) {
            return;
        }
        Instant now = hub.runtimeContext().scheduler().now();
        Map<ObjectKey, Users> users = stores.configs().countUsers(source -> NullableCollections.stream(
                        source.extensions())
                .map(applied -> new ObjectKey(Objects.requireNonNullElse(applied.namespace(), ""), applied.name())));
        for (StoredExtension extension : stores.extensions().all()) {
            String namespace = extension.namespace();
            OperatingSystemProfileStatus before = extension.status();
            Users used = users.getOrDefault(new ObjectKey(namespace, extension.name()), new Users(0, 0));
            Problem found = verify(extension, used).inTenant(namespace, "");
            CompiledExtension compiled = extension.compiled();
            OperatingSystemProfileStatus status = new OperatingSystemProfileStatus(
                    extension.generation(),
                    List.of(OperatingSystemProfileStatus.valid(before, extension.generation(), found, now)),
                    compiled == null ? null : compiled.extension().contentHash(),
                    used,
                    null,
                    found.reason() == Reason.TemplatesVerified ? null : List.of(StoredProblem.of(found)));
            if (status.equals(before) || !hub.serves(namespace)) {
                continue;
            }
            stores.statuses().enqueue(stores.extensions(), namespace, extension.name(), WireJson.tree(status));
            if (status.problems() != null
                    && (before == null || !status.problems().equals(before.problems()))) {
                String version = Resource.OPERATING_SYSTEM_PROFILE_EXTENSIONS.apiVersion();
                Regarding itself =
                        new Regarding(version, ProfileExtension.KIND, namespace, extension.name(), extension.uid());
                eventRecorder.events(namespace).recordEvent(itself, null, found);
            }
        }
    }

    /** Only its own and the shared profiles can make an extension invalid: one for all tenants does not depend on their objects. */
    private Problem verify(StoredExtension extension, Users used) {
        CompiledExtension compiled = extension.compiled();
        if (compiled == null || !extension.mistakes().isEmpty()) {
            return extension.mistakes().getFirst();
        }
        String own = extension.namespace();
        String shared = hub.settings().sharedProfileNamespace();
        AppliedExtensions alone = new AppliedExtensions(shared, List.of(compiled), List.of(), Map.of());
        // Profiles of worker clusters can be selected too.
        boolean selects = !Objects.equals(used.machineDeployments(), 0);
        for (String namespace : own.equals(shared) ? List.of(own) : List.of(own, shared)) {
            for (StoredProfile profile : hub.stores().profiles().in(namespace).values()) {
                ProfileContent content = profile.content();
                ProfileExtension.Target target = compiled.extension().spec().target();
                boolean hidden = !namespace.equals(own)
                        && hub.stores().profiles().in(own).containsKey(profile.name());
                if (content == null
                        || hidden
                        || !target.includesProfile(
                                profile.name(), content.spec().osName())) {
                    continue;
                }
                selects = true;
                CompiledProfile base = content.compiled(hub.compiledProfiles());
                RenderInput.Profile composed = new RenderInput.Profile(namespace, profile.name(), base).with(alone);
                List<Problem> conflicts = composed.findConflicts();
                if (!conflicts.isEmpty()) {
                    return conflicts.getFirst();
                }
            }
        }
        ProblemObject itself = compiled.extension().describe();
        boolean reaches = own.equals(shared)
                || !hub.stores().workerClusters().recordsIn(own).isEmpty();
        if (selects && reaches) {
            String verified = compiled.changes().size() + " file changes verified";
            return new Problem(Reason.TemplatesVerified, itself, "", verified, "");
        }
        String cause = reaches ? "no OperatingSystemProfile fits" : "this namespace is not a tenant's";
        String fix = "correct it, or create the profile";
        return new Problem(Reason.ExtensionTargetsNothing, itself, "spec.target", cause, fix);
    }
}
