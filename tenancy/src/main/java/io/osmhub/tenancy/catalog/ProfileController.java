package io.osmhub.tenancy.catalog;

import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.tenancy.catalog.ProfileVerifier.ProfileAssessment;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.queue.TenantQueue;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the default profiles where they are wanted, and verifies whether each profile can be used. Low priority, because
 * publishing goes first: one profile of a namespace at a time, and namespaces take turns.
 */
public final class ProfileController {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileController.class);
    /** Most wait for a render thread, or find nothing to do. */
    private static final int CONCURRENT_ASSESSMENTS = 8;

    private final ProfileCache profileCache;
    private final DefaultProfileInstaller profileInstaller;
    private final ProfileReporter profileReporter;
    private final @Nullable ProfileVerifier profileVerifier;
    private final ProfileUsageCounter usageCounter;
    private final RuntimeContext runtimeContext;
    private final WorkQueue assessmentQueue;
    /** By namespace. */
    private final Map<String, TenantQueue<ObjectKey>> assessmentQueues = new ConcurrentHashMap<>();

    private final TenantQueue<String> installQueue;
    /** Namespaces that get the default profiles. */
    private final Set<String> installed = ConcurrentHashMap.newKeySet();

    private volatile boolean stopped;

    /**
     * @param profileVerifier null only to install: then profiles get neither a status nor Events
     */
    public ProfileController(
            DefaultProfileInstaller profileInstaller,
            ProfileReporter profileReporter,
            @Nullable ProfileVerifier profileVerifier,
            ProfileUsageCounter usageCounter,
            RuntimeContext runtimeContext,
            WorkQueue installWorkQueue) {
        this.profileCache = profileReporter.profileCache();
        this.profileInstaller = profileInstaller;
        this.profileReporter = profileReporter;
        this.profileVerifier = profileVerifier;
        this.usageCounter = usageCounter;
        this.runtimeContext = runtimeContext;
        this.assessmentQueue = new WorkQueue(
                runtimeContext.blockingExecutor(),
                runtimeContext.scheduler(),
                runtimeContext.random(),
                CONCURRENT_ASSESSMENTS);
        this.installQueue = installWorkQueue.createTenantQueue(1, (namespace, failures) -> install(namespace));
    }

    /** A profile was created or changed. */
    public void onProfileChanged(ObjectKey key, @Nullable StoredProfile before, @Nullable StoredProfile after) {
        if (after == null) {
            assessmentQueues.computeIfPresent(key.namespace(), this::closeIfEmpty);
            if (before != null && before.isDefault() && installed.contains(key.namespace())) {
                installQueue.add(key.namespace(), Urgency.RESYNC);
            }
            return;
        }
        onUsersChanged();
        enqueueAssessment(key);
        if (after.pruned() && installed.contains(key.namespace())) {
            installQueue.add(key.namespace(), Urgency.RESYNC);
        }
        boolean inPlace = profileVerifier != null
                && before != null
                && before.uid().equals(after.uid())
                && before.version().equals(after.version())
                && !before.contentHash().equals(after.contentHash());
        if (inPlace && profileReporter.serves(key.namespace())) {
            profileReporter.recordEvent(
                    after,
                    Reason.ProfileChangedInPlace.with(
                            "tenant", key.namespace(),
                            "osp", key.toString(),
                            "version", after.version()));
        }
    }

    /** An OperatingSystemConfig or an extension changed: counts the users again, and verifies extensions. */
    public void onUsersChanged() {
        if (profileVerifier != null) {
            usageCounter.onUsersChanged();
        }
    }

    /** Requests the default profiles in a namespace. */
    public void requestInstall(String namespace) {
        if (installed.add(namespace)) {
            installQueue.add(namespace, Urgency.RESYNC);
        }
    }

    /** A namespace was created: default profiles may be installable now. */
    public void onNamespaceAdded(String namespace) {
        if (installed.contains(namespace)) {
            installQueue.add(namespace, Urgency.RESYNC);
        }
    }

    /** This replica's namespaces or the definitions changed. */
    public void onEverythingChanged() {
        installed.forEach(namespace -> installQueue.add(namespace, Urgency.RESYNC));
        profileCache.all().forEach(profile -> enqueueAssessment(new ObjectKey(profile.namespace(), profile.name())));
    }

    private void enqueueAssessment(ObjectKey key) {
        // Atomic: a queue closed in between would lose the key.
        assessmentQueues.compute(key.namespace(), (namespace, known) -> {
            if (stopped
                    || profileVerifier == null
                    || !profileCache.in(namespace).containsKey(key.name())) {
                return known;
            }
            TenantQueue<ObjectKey> queue = known == null
                    ? assessmentQueue.createTenantQueue(1, (assessed, failures) -> assess(assessed))
                    : known;
            queue.add(key, Urgency.RESYNC);
            return queue;
        });
    }

    private @Nullable TenantQueue<ObjectKey> closeIfEmpty(String namespace, TenantQueue<ObjectKey> queue) {
        if (!profileCache.in(namespace).isEmpty()) {
            return queue;
        }
        queue.close();
        return null;
    }

    public void stop() {
        stopped = true;
        usageCounter.stop();
        assessmentQueues.values().forEach(TenantQueue::close);
        installQueue.close();
    }

    private RequeueDecision assess(ObjectKey key) {
        StoredProfile profile = profileCache.in(key.namespace()).get(key.name());
        if (profile == null || profileVerifier == null || !profileReporter.serves(key.namespace())) {
            return new RequeueDecision.Done();
        }
        if (!profile.missingAnnotations().isEmpty()) {
            try {
                profileInstaller.copyFields(profile);
            } catch (ApiFailure e) {
                LOG.atWarn()
                        .addKeyValue("tenant", profile.namespace())
                        .addKeyValue("osp", profile.name())
                        .addKeyValue("cause", e.text())
                        .log("Fields of the profile not copied to its annotations, retrying");
                return new RequeueDecision.Retry(Actor.OPERATOR, e.retryAfter());
            }
            profile = profileCache.in(key.namespace()).get(key.name());
        }
        if (profile == null || ProfileAssessment.isDone(profile)) {
            return new RequeueDecision.Done();
        }
        ProfileAssessment assessment =
                profileVerifier.assess(profile, runtimeContext.scheduler().now());
        if (!assessment.status().equals(profile.status())) {
            profileReporter.writeStatus(profile, assessment.status());
            Problem problem = assessment.problem() == null ? assessment.warning(profile) : assessment.problem();
            if (problem != null) {
                profileReporter.recordEvent(profile, problem);
            }
        }
        return new RequeueDecision.Done();
    }

    private RequeueDecision install(String namespace) {
        if (!profileReporter.serves(namespace)) {
            return new RequeueDecision.Done();
        }
        try {
            for (DefaultProfileInstaller.InstallNotice notice : profileInstaller.install(namespace)) {
                StoredProfile profile = profileCache.in(namespace).get(notice.profile());
                if (profile == null || profileVerifier == null) {
                    LOG.warn("{}", notice.diagnosis().message());
                } else {
                    profileReporter.recordEvent(profile, notice.diagnosis());
                }
            }
            return new RequeueDecision.Done();
        } catch (ApiFailure e) {
            return new RequeueDecision.Retry(Actor.OPERATOR, e.retryAfter());
        }
    }
}
