package io.osmhub.tenancy;

import io.osmhub.core.osp.OperatingSystemProfileStatus;
import io.osmhub.core.osp.OperatingSystemProfileStatus.Users;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.render.CompiledProfiles;
import io.osmhub.tenancy.catalog.Profiles;
import io.osmhub.tenancy.catalog.StoredConfigs;
import io.osmhub.tenancy.catalog.StoredProfile;
import io.osmhub.tenancy.profiles.DefaultProfiles;
import io.osmhub.tenancy.profiles.ProfileJudgement;
import io.osmhub.tenancy.profiles.ProfileTrials;
import io.osmhub.tenancy.profiles.ProfileUsers;
import io.osmhub.tenancy.status.StatusLane;
import io.osmhub.tenancy.wire.WireJson;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.EventSink;
import io.osmhub.workersync.queue.Lane;
import io.osmhub.workersync.queue.Next;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.Surroundings;
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
 * What the hub does about profiles besides rendering them: installs the default ones where they are wanted, and says of each
 * whether it can be used. Without haste, because publishing goes first: one profile of a namespace at a time, and namespaces take turns.
 */
final class ProfileCare {
    private static final Logger LOG = LoggerFactory.getLogger(ProfileCare.class);
    private static final Duration BETWEEN_COUNTS = Duration.ofSeconds(30);

    /** Most of them wait for a thread that renders, or find that there is nothing to do. */
    private static final int JUDGEMENTS = 8;

    private final Profiles profiles;
    private final CompiledProfiles compiled;
    private final ProfileTrials trials;
    private final DefaultProfiles defaults;
    private final StatusLane statuses;
    private final RegistrationTeller teller;
    private final Surroundings around;
    private final Predicate<String> served;
    private final WorkQueue judgements;
    /** By namespace. */
    private final Map<String, Lane<ObjectKey>> judging = new ConcurrentHashMap<>();

    private final Lane<String> installing;
    private final Set<String> wanted = ConcurrentHashMap.newKeySet();
    private final StoredConfigs configs;
    private final AtomicBoolean counting = new AtomicBoolean();
    private volatile boolean stopped;

    /** @param served whether a namespace is this replica's to care for */
    ProfileCare(
            Profiles profiles,
            StoredConfigs configs,
            CompiledProfiles compiled,
            ProfileTrials trials,
            DefaultProfiles defaults,
            StatusLane statuses,
            RegistrationTeller teller,
            Surroundings around,
            Predicate<String> served,
            WorkQueue queue) {
        this.profiles = profiles;
        this.configs = configs;
        this.compiled = compiled;
        this.trials = trials;
        this.defaults = defaults;
        this.statuses = statuses;
        this.teller = teller;
        this.around = around;
        this.served = served;
        this.judgements = new WorkQueue(around.waiting(), around.timers(), around.random(), JUDGEMENTS);
        this.installing = queue.lane(1, this::install);
    }

    /** A profile came or changed. */
    void changed(ObjectKey key, @Nullable StoredProfile before, @Nullable StoredProfile after) {
        if (after == null) {
            judging.computeIfPresent(key.namespace(), this::closeIfEmpty);
            if (before != null && before.isDefault() && wanted.contains(key.namespace())) {
                installing.add(key.namespace(), Urgency.RESYNC);
            }
            return;
        }
        judgeLater(key);
        if (after.pruned() && wanted.contains(key.namespace())) {
            installing.add(key.namespace(), Urgency.RESYNC);
        }
        boolean inPlace = before != null
                && before.uid().equals(after.uid())
                && before.version().equals(after.version())
                && !before.contentHash().equals(after.contentHash());
        if (inPlace && served.test(key.namespace())) {
            tell(
                    after,
                    new Diagnosis(
                            Reason.ProfileChangedInPlace,
                            Message.of(
                                    Reason.ProfileChangedInPlace,
                                    Map.of(
                                            "tenant", key.namespace(),
                                            "osp", key.toString(),
                                            "version", after.version()))));
        }
    }

    /** The default profiles are wanted in a namespace. */
    void want(String namespace) {
        if (wanted.add(namespace)) {
            installing.add(namespace, Urgency.RESYNC);
        }
    }

    /** A namespace is there now: default profiles that are wanted in it may not have been installable before. */
    void namespaceAdded(String namespace) {
        if (wanted.contains(namespace)) {
            installing.add(namespace, Urgency.RESYNC);
        }
    }

    /** Another share of the namespaces may be this replica's, or the definitions keep other fields. */
    void everythingChanged() {
        wanted.forEach(namespace -> installing.add(namespace, Urgency.RESYNC));
        profiles.all().forEach(profile -> judgeLater(new ObjectKey(profile.namespace(), profile.name())));
    }

    private void judgeLater(ObjectKey key) {
        // As one step: a lane that is closed meanwhile would lose the key.
        judging.compute(key.namespace(), (namespace, known) -> {
            if (stopped || !profiles.in(namespace).containsKey(key.name())) {
                return known;
            }
            Lane<ObjectKey> lane = known == null ? judgements.lane(1, this::judge) : known;
            lane.add(key, Urgency.RESYNC);
            return lane;
        });
    }

    private @Nullable Lane<ObjectKey> closeIfEmpty(String namespace, Lane<ObjectKey> lane) {
        if (!profiles.in(namespace).isEmpty()) {
            return lane;
        }
        lane.close();
        return null;
    }

    /** Something of an OperatingSystemConfig is another: who uses which profile is counted anew, in a while. */
    void usersChanged() {
        if (counting.compareAndSet(false, true)) {
            around.timers().after(BETWEEN_COUNTS, () -> around.waiting().execute(this::count));
        }
    }

    private void count() {
        counting.set(false);
        if (stopped) {
            return;
        }
        ProfileUsers users = ProfileUsers.of(configs.all());
        for (StoredProfile profile : profiles.all()) {
            OperatingSystemProfileStatus before = profile.status();
            // Of one that nobody judged yet, the judgement comes first.
            if (before == null || !served.test(profile.namespace())) {
                continue;
            }
            Users now = users.of(new ObjectKey(profile.namespace(), profile.name()));
            if (!now.equals(before.usedBy())) {
                OperatingSystemProfileStatus status = new OperatingSystemProfileStatus(
                        before.observedGeneration(), before.conditions(), before.contentHash(), now, before.findings());
                statuses.offer(profiles, profile.namespace(), profile.name(), WireJson.tree(status));
            }
        }
    }

    void stop() {
        stopped = true;
        judging.values().forEach(Lane::close);
        installing.close();
    }

    private Next judge(ObjectKey key, int failures) {
        StoredProfile profile = profiles.in(key.namespace()).get(key.name());
        if (profile == null || !served.test(key.namespace()) || ProfileJudgement.isDone(profile)) {
            return new Next.Done();
        }
        ProfileJudgement judgement =
                ProfileJudgement.of(profile, compiled, trials, around.timers().now());
        boolean news = profile.status() == null || !judgement.status().equals(profile.status());
        if (news) {
            statuses.offer(profiles, key.namespace(), key.name(), WireJson.tree(judgement.status()));
            Diagnosis said = judgement.problem() == null ? judgement.warning(profile) : judgement.problem();
            if (said != null) {
                tell(profile, said);
            }
        }
        return new Next.Done();
    }

    private Next install(String namespace, int failures) {
        if (!served.test(namespace)) {
            return new Next.Done();
        }
        try {
            for (DefaultProfiles.Remark remark : defaults.install(namespace)) {
                StoredProfile profile = profiles.in(namespace).get(remark.profile());
                if (profile == null) {
                    LOG.warn("{}", remark.diagnosis().message());
                } else {
                    tell(profile, remark.diagnosis());
                }
            }
            return new Next.Done();
        } catch (ApiFailure e) {
            return new Next.Retry(Actor.OPERATOR, e.retryAfter());
        }
    }

    private void tell(StoredProfile profile, Diagnosis diagnosis) {
        teller.events(profile.namespace())
                .tell(
                        new EventSink.Regarding(
                                Resource.OPERATING_SYSTEM_PROFILES.apiVersion(),
                                "OperatingSystemProfile",
                                profile.namespace(),
                                profile.name(),
                                profile.uid()),
                        null,
                        diagnosis.reason(),
                        EventSink.Action.RENDER,
                        diagnosis.message());
    }
}
