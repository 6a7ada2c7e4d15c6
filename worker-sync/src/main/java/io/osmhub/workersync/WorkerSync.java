package io.osmhub.workersync;

import io.osmhub.core.bootstrap.CertificateAuthorities;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.GrantKind;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.problem.Message;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
import io.osmhub.core.status.Circumstances;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.EventSink;
import io.osmhub.workersync.port.SyncListener;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.Timers;
import io.osmhub.workersync.reconcile.Claims;
import io.osmhub.workersync.reconcile.Cleanup;
import io.osmhub.workersync.reconcile.CloseUps;
import io.osmhub.workersync.reconcile.Runs;
import io.osmhub.workersync.reconcile.State;
import io.osmhub.workersync.watch.ObjectCache.Origin;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader.SettingsSecret;
import io.osmhub.workersync.watch.Surroundings;
import io.osmhub.workersync.watch.WatchListener;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerObjects;
import io.osmhub.workersync.write.WriteBudget;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one worker cluster right, from {@link #start} to {@link #stop}. Holds nothing that leads to another tenant. Its methods
 * return at once; what they ask for happens on the queue's threads.
 *
 * <pre>
 *  new --start--> working <--start, suspend--> resting
 *                    |                            |
 *                    +---------> remove <---------+
 *                                   |
 *                                 stop
 * </pre>
 */
public final class WorkerSync {
    private static final Duration BACKLOG = Duration.ofSeconds(60);
    /** A connection that is back before that was never lost for anybody. */
    private static final Duration SHOWN_AFTER = Duration.ofSeconds(10);

    private final CurrentApi api = new CurrentApi();
    private final SyncListener listener;
    private final SyncObserver observer;
    private final Claims claims = new Claims();
    private final WorkerObjects objects;
    private final Runs runs;
    private final Object lock = new Object();
    private volatile TenantInputs inputs;
    private final Timers timers;
    private Circumstances circumstances = Circumstances.NORMAL;
    private volatile @Nullable Instant lastEvent;
    private Timers.@Nullable Timer disconnection;
    private boolean stopped;
    private volatile boolean granting;

    /**
     * Everything around a sync but its tenant.
     *
     * @param replica name of this replica, as Events show it
     */
    public record Environment(Surroundings around, Runs.Tools tools, String replica) {}

    /** What the tenant's owner gives. {@code events} go to the management cluster. */
    public record Tenant(Runs.Management management, EventSink events, SyncListener listener) {}

    /** A sync that rests. */
    public WorkerSync(TenantInputs inputs, Tenant tenant, Environment environment) {
        this.inputs = inputs;
        this.listener = tenant.listener();
        this.observer = environment.tools().observer();
        Surroundings around = environment.around();
        this.timers = around.timers();
        this.objects = new WorkerObjects(new Heard(), around);
        EventWriter workerEvents =
                new EventWriter(api, around.timers(), around.waiting(), around.random(), environment.replica());
        this.runs = new Runs(
                api,
                objects,
                tenant.management(),
                new Runs.Sinks(workerEvents, tenant.events()),
                environment.tools(),
                around,
                inputs,
                claims,
                listener::statusChanged,
                listener::failed);
        objects.watchServiceAccount(inputs.settings().provisioning().bootstrap().serviceAccount());
    }

    /** Begins, goes on after a rest, or goes on with another connection to the same cluster; the caches stay. */
    public void start(KubeApi connection) {
        synchronized (lock) {
            if (stopped) {
                return;
            }
            cancelDisconnection();
            api.set(connection);
            objects.resume(connection);
            runs.release();
        }
        connected(true);
        listener.statusChanged();
    }

    /** Rests until {@link #start}: no list, watch or run begins. A run that is under way fails at its next request. */
    public void suspend() {
        synchronized (lock) {
            cancelDisconnection();
            runs.hold();
            objects.suspend();
            api.set(null);
            disconnection = timers.after(SHOWN_AFTER, () -> connected(false));
        }
        listener.statusChanged();
    }

    /** Ends for good. */
    public void stop() {
        synchronized (lock) {
            stopped = true;
            cancelDisconnection();
            runs.close();
            objects.end();
            api.set(null);
        }
    }

    private void cancelDisconnection() {
        if (disconnection != null) {
            disconnection.cancel();
            disconnection = null;
        }
    }

    /** What the management cluster says about the tenant is another now. */
    public void inputs(TenantInputs now) {
        if (now.equals(inputs)) {
            return;
        }
        inputs = now;
        objects.watchServiceAccount(now.settings().provisioning().bootstrap().serviceAccount());
        watchGrants();
        runs.inputs(now);
        listener.statusChanged();
    }

    /**
     * Whether the hub may make accounts and roles for single MachineDeployments, as the worker cluster says. To be told before the first
     * {@link #start}, so that what is published is not changed for the lack of an answer.
     */
    public void mayGrant(boolean may) {
        if (may != granting) {
            granting = may;
            watchGrants();
            if (objects.isSynced()) {
                runs.askAll(Trigger.CREDENTIALS, machineDeployment -> true);
            }
        }
    }

    /** Where nobody wants such tokens, nothing is watched for them; what is left of earlier ones is watched until it is gone. */
    private void watchGrants() {
        boolean wanted = inputs.settings().provisioning().bootstrap().nodeFetch() != NodeFetch.SHARED_TOKEN;
        objects.watchGrants(granting && (wanted || objects.holdsGrants()));
    }

    /** The hub's credential is good, or it is refused or ends soon: then new nodes are at risk. */
    public void credentialsGood(boolean good) {
        tell(circumstances -> new Circumstances(circumstances.connected(), good, false));
    }

    private void connected(boolean now) {
        tell(circumstances -> new Circumstances(now, circumstances.credentialsGood(), false));
    }

    private void tell(UnaryOperator<Circumstances> change) {
        Circumstances now;
        synchronized (lock) {
            now = change.apply(circumstances);
            if (now.equals(circumstances)) {
                return;
            }
            circumstances = now;
        }
        runs.circumstances(now);
    }

    /** Profiles came, changed or went. */
    public void profilesChanged(Set<String> names) {
        runs.askAll(Trigger.PROFILE, machineDeployment -> names.contains(machineDeployment.profileName()));
    }

    /** Somebody else changed or deleted an OperatingSystemConfig. Not to be called for the hub's own writes. */
    public void configChanged(String name) {
        if (objects.isSynced()) {
            runs.configChanged(name);
        }
    }

    /** Looks at everything again, without haste. */
    public void resync() {
        runs.askAll(Trigger.RESYNC, machineDeployment -> true);
        runs.sweepLater();
    }

    /**
     * Takes the hub out of the worker cluster; nothing is published meanwhile or afterwards. Ends with what was left, at the
     * latest after {@code patience}; {@link #start} may still come before that. {@link #stop} is to follow.
     *
     * @param deletes whether objects go too; else only finalizers, to hand the cluster over
     */
    public CompletableFuture<Cleanup> remove(boolean deletes, Duration patience) {
        return runs.remove(deletes, patience);
    }

    public SyncStatus status() {
        List<State> states = new ArrayList<>(runs.closeUps().states());
        states.sort(Comparator.comparing((State state) -> state.key().namespace())
                .thenComparing(state -> state.key().name()));
        Map<Resource, ApiFailure> troubles = objects.troubles();
        return new SyncStatus(phase(), states, problems(troubles), troubles, objects.counts(), runs.waiting());
    }

    /** What people may see of each MachineDeployment; empty until it was read. */
    public CloseUps closeUps() {
        return runs.closeUps();
    }

    /** When anything was heard of the worker cluster last; null before anything was. */
    public @Nullable Instant lastEvent() {
        return lastEvent;
    }

    /** What previews are made of besides. */
    public TenantInputs inputs() {
        return inputs;
    }

    /**
     * Machines that a MachineDeployment has now: read for this answer, because the hub does not watch them. Waits.
     *
     * @throws ApiFailure when they cannot be read; the right to do so is not one that the hub needs
     */
    public Machines machines(String namespace, String machineDeployment) throws ApiFailure {
        return Machines.read(api, namespace, machineDeployment);
    }

    /**
     * Name of the MachineDeployment that a machine belongs to; empty when it belongs to none. Waits.
     *
     * @throws ApiFailure when there is no such machine, or it cannot be read
     */
    public String machineDeploymentOf(String namespace, String machine) throws ApiFailure {
        return Machines.ownerOf(api, namespace, machine);
    }

    private SyncStatus.Phase phase() {
        if (api.get() == null) {
            return SyncStatus.Phase.RESTING;
        }
        if (!objects.isSynced()) {
            return SyncStatus.Phase.LISTING;
        }
        return runs.isFirstPassOver() ? SyncStatus.Phase.WORKING : SyncStatus.Phase.LOOKING;
    }

    private List<Diagnosis> problems(Map<Resource, ApiFailure> troubles) {
        List<Diagnosis> problems = new ArrayList<>();
        ApiFailure failure = troubles.get(Resource.MACHINE_DEPLOYMENTS);
        if (failure != null && failure.isNotFound()) {
            problems.add(diagnosis(Reason.MachineDeploymentAPIMissing, Map.of()));
        }
        CertificateAuthorities.Mismatch mismatch = objects.isSynced() ? runs.mismatch() : null;
        if (mismatch != null) {
            problems.add(diagnosis(
                    Reason.CertificateAuthorityMismatch,
                    Map.of("fingerprint", mismatch.joining(), "fingerprint2", mismatch.given())));
        }
        if (api.get() != null) {
            Duration oldest = runs.oldestWaiting();
            WriteBudget.Waiting toWrite = runs.waitingToWrite();
            if (toWrite.longest().compareTo(BACKLOG) > 0) {
                problems.add(backlog(
                        toWrite.count(),
                        toWrite.longest(),
                        "more changes than spec.connection.writeBudget lets through"));
            } else if (oldest.compareTo(BACKLOG) > 0) {
                problems.add(backlog(runs.waiting(), oldest, "more changes than the hub's threads get done"));
            }
        }
        return problems;
    }

    private Diagnosis backlog(int waiting, Duration oldest, String cause) {
        return diagnosis(
                Reason.SyncBacklog,
                Map.of("n", Integer.toString(waiting), "duration", oldest.toSeconds() + " s", "cause", cause));
    }

    private Diagnosis diagnosis(Reason reason, Map<String, String> more) {
        Map<String, String> values = new TreeMap<>(more);
        values.put("tenant", inputs.namespace());
        values.put("wc", inputs.workerCluster());
        return new Diagnosis(reason, Message.of(reason, values));
    }

    /** Turns what is seen in the worker cluster into keys to look at; decides nothing. */
    private final class Heard implements WorkerObjects.Events {
        @Override
        public void machineDeployment(
                ObjectKey key,
                @Nullable WatchedMachineDeployment before,
                @Nullable WatchedMachineDeployment after,
                Origin origin) {
            lastEvent = timers.now();
            MachineDeployment old = before == null ? null : before.machineDeployment();
            MachineDeployment now = after == null ? null : after.machineDeployment();
            Set<ObjectKey> rivals = claims.changed(key, old, now);
            if (!objects.isSynced()) {
                return;
            }
            rivals.forEach(rival -> runs.ask(rival, Trigger.RESYNC));
            if (after == null || now == null) {
                runs.ask(key, Trigger.RESYNC);
                runs.sweepLater();
            } else if (origin == Origin.WRITTEN && (old == null || after.differsInFinalizersOnly(old))) {
                runs.machineDeploymentWritten(key, now.resourceVersion());
            } else if (old != null && isRevisionAwaited(old, after)) {
                runs.revisionAwaited(key);
            } else if (Claims.claims(now) || old != null && Claims.claims(old)) {
                runs.machineDeploymentChanged(
                        key,
                        now.resourceVersion(),
                        old == null || !Claims.claims(old) ? Trigger.CREATED : Trigger.REVISION);
            }
        }

        private static boolean isRevisionAwaited(MachineDeployment old, WatchedMachineDeployment after) {
            MachineDeployment now = after.machineDeployment();
            return Claims.claims(now)
                    && Claims.claims(old)
                    && now.deletionTimestamp() == null
                    && after.mistakes().isEmpty()
                    && !now.revision().isEmpty()
                    && now.revision().equals(old.revision())
                    && !after.hasTemplateOf(old);
        }

        @Override
        public void secret(
                ObjectKey key, @Nullable SettingsSecret before, @Nullable SettingsSecret after, Origin origin) {
            lastEvent = timers.now();
            if (origin == Origin.WRITTEN) {
                runs.secretWritten(key);
            } else if (objects.isSynced()) {
                runs.secretChanged(key);
            }
        }

        @Override
        public void token(ObjectKey key, @Nullable StoredToken before, @Nullable StoredToken after, Origin origin) {
            lastEvent = timers.now();
            StoredToken one = Objects.requireNonNull(before == null ? after : before, "a change of nothing");
            if (origin == Origin.WRITTEN) {
                runs.tokenWritten(key);
            } else if (objects.isSynced()) {
                runs.tokenChanged(key, one.label());
                if (after != null && !after.label().equals(one.label())) {
                    runs.tokenChanged(key, after.label());
                }
            }
        }

        @Override
        public void grant(GrantKind kind, @Nullable StoredGrant before, @Nullable StoredGrant after, Origin origin) {
            lastEvent = timers.now();
            StoredGrant one = Objects.requireNonNull(before == null ? after : before, "a change of nothing");
            if (origin == Origin.WRITTEN) {
                runs.grantWritten(kind, one);
            } else if (objects.isSynced() && objects.areGrantsKnown()) {
                runs.grantChanged(kind, one);
            }
        }

        @Override
        public void access() {
            if (objects.isSynced()) {
                runs.askAll(Trigger.ENDPOINT, machineDeployment -> true);
            }
        }

        @Override
        public void synced() {
            runs.begin();
            listener.statusChanged();
        }

        @Override
        public void trouble(Resource resource, @Nullable ApiFailure failure) {
            if (failure == null) {
                if (objects.troubles().isEmpty()) {
                    listener.recovered();
                }
            } else {
                listener.failed(failure);
            }
            listener.statusChanged();
        }

        @Override
        public void restarted(Resource resource, WatchListener.Restart why) {
            observer.watchRestarted(resource.plural(), why.word());
        }
    }
}
