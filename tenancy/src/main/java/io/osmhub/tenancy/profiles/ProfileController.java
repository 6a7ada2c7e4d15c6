package io.osmhub.tenancy.profiles;

import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.OperatingSystemProfileStatus.Users;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.render.CompiledProfile.CompiledProfileCache;
import io.osmhub.tenancy.catalog.ConfigCache;
import io.osmhub.tenancy.catalog.ProfileCache;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.profiles.ProfileVerifier.ProfileAssessment;
import io.osmhub.tenancy.registry.RegistrationEventRecorder;
import io.osmhub.tenancy.status.StatusWriter;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.queue.TenantQueue;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Installs the default profiles where they are wanted, and verifies whether each profile can be used. Low priority, because
 * publishing goes first: one profile of a namespace at a time, and namespaces take turns.
 */
public final class ProfileController {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileController.class);
    private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(30);

    /** Most wait for a render thread, or find nothing to do. */
    private static final int JUDGEMENTS = 8;

    private final KubeApi management;
    private final ProfileCache profiles;
    private final CompiledProfileCache compiled;
    private final ProfileVerifier trials;
    private final DefaultProfileInstaller defaults;
    private final StatusWriter statuses;
    private final RegistrationEventRecorder teller;
    private final RuntimeContext around;
    private final Predicate<String> served;
    private final WorkQueue judgements;
    private final Map<String, TenantQueue<ObjectKey>> judging = new ConcurrentHashMap<>();

    private final TenantQueue<String> installing;
    private final Set<String> wanted = ConcurrentHashMap.newKeySet();
    private final ConfigCache configs;
    private final AtomicBoolean counting = new AtomicBoolean();
    private volatile boolean stopped;

    /** @param served whether this replica serves a namespace */
    public ProfileController(
            KubeApi management,
            ProfileCache profiles,
            ConfigCache configs,
            CompiledProfileCache compiled,
            ProfileVerifier trials,
            DefaultProfileInstaller defaults,
            StatusWriter statuses,
            RegistrationEventRecorder teller,
            RuntimeContext around,
            Predicate<String> served,
            WorkQueue queue) {
        this.management = management;
        this.profiles = profiles;
        this.configs = configs;
        this.compiled = compiled;
        this.trials = trials;
        this.defaults = defaults;
        this.statuses = statuses;
        this.teller = teller;
        this.around = around;
        this.served = served;
        this.judgements = new WorkQueue(around.blockingExecutor(), around.scheduler(), around.random(), JUDGEMENTS);
        this.installing = queue.createTenantQueue(1, this::install);
    }

    /** A profile was created or changed. */
    public void onProfileChanged(ObjectKey key, @Nullable StoredProfile before, @Nullable StoredProfile after) {
        if (after == null) {
            judging.computeIfPresent(key.namespace(), this::closeIfEmpty);
            if (before != null && before.isDefault() && wanted.contains(key.namespace())) {
                installing.add(key.namespace(), Urgency.RESYNC);
            }
            return;
        }
        enqueueAssessment(key);
        if (after.pruned() && wanted.contains(key.namespace())) {
            installing.add(key.namespace(), Urgency.RESYNC);
        }
        boolean inPlace = before != null
                && before.uid().equals(after.uid())
                && before.version().equals(after.version())
                && !before.contentHash().equals(after.contentHash());
        if (inPlace && served.test(key.namespace())) {
            recordEvent(
                    after,
                    Reason.ProfileChangedInPlace.with(
                            "tenant", key.namespace(),
                            "osp", key.toString(),
                            "version", after.version()));
        }
    }

    /** Requests the default profiles in a namespace. */
    public void requestInstall(String namespace) {
        if (wanted.add(namespace)) {
            installing.add(namespace, Urgency.RESYNC);
        }
    }

    /** A namespace was created: default profiles may be installable now. */
    public void onNamespaceAdded(String namespace) {
        if (wanted.contains(namespace)) {
            installing.add(namespace, Urgency.RESYNC);
        }
    }

    /** This replica's namespaces or the definitions changed. */
    public void onEverythingChanged() {
        wanted.forEach(namespace -> installing.add(namespace, Urgency.RESYNC));
        profiles.all().forEach(profile -> enqueueAssessment(new ObjectKey(profile.namespace(), profile.name())));
    }

    private void enqueueAssessment(ObjectKey key) {
        // Atomic: a queue closed in between would lose the key.
        judging.compute(key.namespace(), (namespace, known) -> {
            if (stopped || !profiles.in(namespace).containsKey(key.name())) {
                return known;
            }
            TenantQueue<ObjectKey> lane = known == null ? judgements.createTenantQueue(1, this::assess) : known;
            lane.add(key, Urgency.RESYNC);
            return lane;
        });
    }

    private @Nullable TenantQueue<ObjectKey> closeIfEmpty(String namespace, TenantQueue<ObjectKey> lane) {
        if (!profiles.in(namespace).isEmpty()) {
            return lane;
        }
        lane.close();
        return null;
    }

    /** An OperatingSystemConfig changed: counts each profile's users again after a delay. */
    public void onUsersChanged() {
        if (counting.compareAndSet(false, true)) {
            around.scheduler()
                    .schedule(BETWEEN_COUNTS, () -> around.blockingExecutor().execute(this::count));
        }
    }

    private void count() {
        counting.set(false);
        if (stopped) {
            return;
        }
        ProfileUsageCounts users = ProfileUsageCounts.of(configs.all());
        for (StoredProfile profile : profiles.all()) {
            OperatingSystemProfileStatus before = profile.status();
            // An unverified profile is verified first.
            if (before == null || !served.test(profile.namespace())) {
                continue;
            }
            Users now = users.of(new ObjectKey(profile.namespace(), profile.name()));
            if (!now.equals(before.usedBy())) {
                OperatingSystemProfileStatus status = new OperatingSystemProfileStatus(
                        before.observedGeneration(), before.conditions(), before.contentHash(), now, before.findings());
                statuses.enqueue(profiles, profile.namespace(), profile.name(), WireJson.tree(status));
            }
        }
    }

    public void stop() {
        stopped = true;
        judging.values().forEach(TenantQueue::close);
        installing.close();
    }

    private RequeueDecision assess(ObjectKey key, int failures) {
        StoredProfile profile = profiles.in(key.namespace()).get(key.name());
        if (profile == null || !served.test(key.namespace())) {
            return new RequeueDecision.Done();
        }
        if (!profile.missingAnnotations().isEmpty()) {
            RequeueDecision retry = copyFields(profile);
            profile = profiles.in(key.namespace()).get(key.name());
            if (retry != null || profile == null) {
                return retry == null ? new RequeueDecision.Done() : retry;
            }
        }
        if (ProfileAssessment.isDone(profile)) {
            return new RequeueDecision.Done();
        }
        ProfileAssessment judgement = ProfileAssessment.of(
                profile, compiled, trials, around.scheduler().now());
        boolean news = profile.status() == null || !judgement.status().equals(profile.status());
        if (news) {
            statuses.enqueue(profiles, key.namespace(), key.name(), WireJson.tree(judgement.status()));
            ReasonMessage said = judgement.problem() == null ? judgement.warning(profile) : judgement.problem();
            if (said != null) {
                recordEvent(profile, said);
            }
        }
        return new RequeueDecision.Done();
    }

    /** Null if they are copied. */
    private @Nullable RequeueDecision copyFields(StoredProfile profile) {
        try {
            profiles.onWritten(ProfileFieldMigration.annotate(
                    management,
                    profile.namespace(),
                    profile.name(),
                    profile.resourceVersion(),
                    profile.missingAnnotations()));
            return null;
        } catch (ApiFailure e) {
            LOG.atWarn()
                    .addKeyValue("tenant", profile.namespace())
                    .addKeyValue("osp", profile.name())
                    .addKeyValue("cause", e.text())
                    .log("Fields of the profile not copied to its annotations, retrying");
            return new RequeueDecision.Retry(Actor.OPERATOR, e.retryAfter());
        }
    }

    private RequeueDecision install(String namespace, int failures) {
        if (!served.test(namespace)) {
            return new RequeueDecision.Done();
        }
        try {
            for (DefaultProfileInstaller.InstallNotice remark : defaults.install(namespace)) {
                StoredProfile profile = profiles.in(namespace).get(remark.profile());
                if (profile == null) {
                    LOG.warn("{}", remark.diagnosis().message());
                } else {
                    recordEvent(profile, remark.diagnosis());
                }
            }
            return new RequeueDecision.Done();
        } catch (ApiFailure e) {
            return new RequeueDecision.Retry(Actor.OPERATOR, e.retryAfter());
        }
    }

    private void recordEvent(StoredProfile profile, ReasonMessage diagnosis) {
        teller.events(profile.namespace())
                .recordEvent(
                        new EventRecorder.Regarding(
                                Resource.OPERATING_SYSTEM_PROFILES.apiVersion(),
                                "OperatingSystemProfile",
                                profile.namespace(),
                                profile.name(),
                                profile.uid()),
                        null,
                        diagnosis);
    }
}
