package io.osmhub.tenancy;

import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.OperatingSystemProfileStatus.Users;
import io.osmhub.core.osp.ProfileExtension;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.ProblemObject;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.render.AppliedExtensions;
import io.osmhub.core.render.CompiledExtension;
import io.osmhub.core.render.Renderer.RenderInput;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.resource.StoredProblem;
import io.osmhub.tenancy.catalog.StoredExtension;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.catalog.StoredProfile.ProfileContent;
import io.osmhub.tenancy.management.NamespaceEventRecorder;
import io.osmhub.tenancy.management.WireJson;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.watch.ObjectKey;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Verifies each extension with the profiles that it selects, counts its users, and writes both into its status. All at once, shortly
 * after a change, because there are few. Thread-safe; its methods do not block.
 */
final class ExtensionController {
    private static final Duration AFTER_CHANGE = Duration.ofSeconds(1);
    private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(30);

    private final HubContext hub;
    private final ManagementStores stores;
    private final NamespaceEventRecorder eventRecorder;
    private final AtomicBoolean verificationScheduled = new AtomicBoolean();
    private final AtomicBoolean countScheduled = new AtomicBoolean();
    private volatile boolean stopped;

    ExtensionController(HubContext hub, NamespaceEventRecorder eventRecorder) {
        this.hub = hub;
        this.stores = hub.stores();
        this.eventRecorder = eventRecorder;
    }

    /** An extension, a profile, or which of them this replica serves changed. */
    void onContentChanged() {
        schedule(verificationScheduled, AFTER_CHANGE, true);
    }

    /** An OperatingSystemConfig changed. */
    void onUsersChanged() {
        schedule(countScheduled, BETWEEN_COUNTS, false);
    }

    void stop() {
        stopped = true;
    }

    private void schedule(AtomicBoolean scheduled, Duration delay, boolean verifies) {
        if (!stores.extensions().all().isEmpty() && scheduled.compareAndSet(false, true)) {
            hub.runtimeContext().scheduler().schedule(delay, () -> hub.runtimeContext()
                    .blockingExecutor()
                    .execute(() -> {
                        scheduled.set(false);
                        report(verifies);
                    }));
        }
    }

    private synchronized void report(boolean verifies) {
        if (stopped) {
            return;
        }
        Map<ObjectKey, Users> users = stores.configs().countUsers(source -> NullableCollections.stream(
                        source.extensions())
                .map(applied -> new ObjectKey(Objects.requireNonNullElse(applied.namespace(), ""), applied.name())));
        for (StoredExtension extension : stores.extensions().all()) {
            OperatingSystemProfileStatus before = extension.status();
            if (hub.serves(extension.namespace()) && (verifies || before != null)) {
                ObjectKey key = new ObjectKey(extension.namespace(), extension.name());
                Users now = users.getOrDefault(key, new Users(0, 0));
                write(extension, verifies || before == null ? verified(extension, now) : before.withUsers(now));
            }
        }
    }

    private void write(StoredExtension extension, OperatingSystemProfileStatus status) {
        OperatingSystemProfileStatus before = extension.status();
        if (status.equals(before)) {
            return;
        }
        stores.statuses().enqueue(stores.extensions(), extension.namespace(), extension.name(), WireJson.tree(status));
        if (before != null && Objects.equals(before.problems(), status.problems())) {
            return;
        }
        NullableCollections.stream(status.problems())
                .flatMap(problem -> Reason.of(problem.reason()).stream()
                        .map(reason -> problem.toProblem(reason, new Problem.Scope(extension.namespace(), ""))))
                .forEach(problem -> eventRecorder
                        .events(extension.namespace())
                        .recordEvent(
                                new EventRecorder.Regarding(
                                        Resource.OPERATING_SYSTEM_PROFILE_EXTENSIONS.apiVersion(),
                                        ProfileExtension.KIND,
                                        extension.namespace(),
                                        extension.name(),
                                        extension.uid()),
                                null,
                                problem));
    }

    private OperatingSystemProfileStatus verified(StoredExtension extension, Users users) {
        Problem problem = verify(extension, users);
        CompiledExtension compiled = extension.compiled();
        Problem told = problem != null || compiled == null
                ? Objects.requireNonNull(problem, "without content")
                : new Problem(
                        Reason.TemplatesVerified,
                        describe(extension),
                        "",
                        compiled.changes().size() + compiled.commands().size() + " changes verified",
                        "");
        Problem reported = told.inTenant(extension.namespace(), "");
        return new OperatingSystemProfileStatus(
                extension.generation(),
                List.of(OperatingSystemProfileStatus.valid(
                        extension.status(),
                        extension.generation(),
                        reported.reason().severity() != Severity.ERROR,
                        reported,
                        hub.runtimeContext().scheduler().now())),
                compiled == null ? null : compiled.extension().contentHash(),
                users,
                null,
                problem == null ? null : List.of(StoredProblem.of(reported)));
    }

    /**
     * Null if nothing is wrong. Only its own and the shared profiles can make an extension invalid: one for all tenants does not depend
     * on a tenant's objects.
     */
    private @Nullable Problem verify(StoredExtension extension, Users users) {
        CompiledExtension compiled = extension.compiled();
        if (compiled == null || !extension.mistakes().isEmpty()) {
            return extension.mistakes().getFirst();
        }
        String namespace = extension.namespace();
        String shared = hub.settings().sharedProfileNamespace();
        if (!namespace.equals(shared)
                && stores.workerClusters().recordsIn(namespace).isEmpty()) {
            return ineffective(extension, "namespace " + namespace + " is neither " + shared + " nor a tenant's");
        }
        // A profile of a worker cluster may be selected too.
        boolean selected = !Objects.equals(users.machineDeployments(), 0);
        AppliedExtensions alone = new AppliedExtensions(shared, List.of(compiled), List.of(), Map.of());
        for (StoredProfile profile : stores.profiles().all()) {
            ProfileContent content = profile.content();
            boolean near =
                    profile.namespace().equals(namespace) || profile.namespace().equals(shared);
            if (content == null
                    || !near && !namespace.equals(shared)
                    || !compiled.extension()
                            .spec()
                            .target()
                            .includesProfile(profile.name(), content.spec().osName())) {
                continue;
            }
            selected = true;
            List<Problem> conflicts = near
                    ? new RenderInput.Profile(
                                    profile.namespace(), profile.name(), content.compiled(hub.compiledProfiles()))
                            .with(alone)
                            .findConflicts()
                    : List.of();
            if (!conflicts.isEmpty()) {
                return conflicts.getFirst();
            }
        }
        return selected ? null : ineffective(extension, "no OperatingSystemProfile fits");
    }

    private static Problem ineffective(StoredExtension extension, String cause) {
        return new Problem(
                Reason.ExtensionTargetsNothing,
                describe(extension),
                "spec.target",
                cause,
                "correct it, or create the profile");
    }

    private static ProblemObject describe(StoredExtension extension) {
        return ProblemObject.of(ProfileExtension.KIND, extension.path());
    }
}
