package io.osmhub.workersync;

import io.osmhub.core.bootstrap.CertificateAuthorityMatcher;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.DesiredGrant.GrantKind;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.status.RunResult.ConnectionHealth;
import io.osmhub.core.workercluster.ProvisioningSettings.NodeFetch;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.SyncListener;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.reconcile.MachineDeploymentState;
import io.osmhub.workersync.reconcile.MachineDeploymentViews;
import io.osmhub.workersync.reconcile.NameClaims;
import io.osmhub.workersync.reconcile.RunScheduler;
import io.osmhub.workersync.reconcile.RunScheduler.CleanupResult;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.ObjectCache.Origin;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.SecretReader.SettingsSecret;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.write.WriteRateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one worker cluster in sync, from {@link #start} to {@link #stop}. Holds no reference to another tenant. Must not block:
 * work runs on the queue's threads.
 *
 * <pre>
 *  new --start--> working <--start, suspend--> suspended
 *                    |                            |
 *                    +---------> remove <---------+
 *                                   |
 *                                 stop
 * </pre>
 */
public final class WorkerSync {
    private static final Duration BACKLOG = Duration.ofSeconds(60);
    /** Shorter disconnections are not reported. */
    private static final Duration DISCONNECTION_DELAY = Duration.ofSeconds(10);

    private final SwitchableKubeApi api = new SwitchableKubeApi();
    private final SyncListener listener;
    private final SyncObserver observer;
    private final NameClaims claims = new NameClaims();
    private final WorkerInformers objects;
    private final RunScheduler runs;
    private final Object lock = new Object();
    private final Object healthChanges = new Object();
    private volatile TenantInputs inputs;
    private final Scheduler scheduler;
    private ConnectionHealth connectionHealth = ConnectionHealth.NORMAL;
    private volatile @Nullable Instant lastEvent;
    private Scheduler.@Nullable ScheduledTask disconnection;
    private boolean stopped;
    private volatile boolean granting;

    /**
     * Dependencies shared by all syncs.
     *
     * @param replica name of this replica, shown in Events
     */
    public record SyncEnvironment(RuntimeContext runtime, RunScheduler.RunDependencies tools, String replica) {}

    /** Ports scoped to the tenant. {@code events} writes to the management cluster. */
    public record TenantPorts(RunScheduler.ManagementPorts management, EventRecorder events, SyncListener listener) {}

    /** Creates a suspended sync. */
    public WorkerSync(TenantInputs inputs, TenantPorts tenant, SyncEnvironment environment) {
        this.inputs = inputs;
        this.listener = tenant.listener();
        this.observer = environment.tools().observer();
        RuntimeContext around = environment.runtime();
        this.scheduler = around.scheduler();
        this.objects = new WorkerInformers(new WatchEventHandler(), around);
        EventWriter workerEvents = new EventWriter(
                api, around.scheduler(), around.blockingExecutor(), around.random(), environment.replica());
        this.runs = new RunScheduler(
                api,
                objects,
                tenant.management(),
                new RunScheduler.EventRecorders(workerEvents, tenant.events()),
                environment.tools(),
                around,
                inputs,
                claims,
                listener::onStatusChanged,
                listener::onRequestFailed);
        objects.watchServiceAccount(inputs.settings().provisioning().bootstrap().serviceAccount());
    }

    /** Starts, resumes, or switches to a new connection to the same cluster; keeps the caches. */
    public void start(KubeApi connection) {
        synchronized (lock) {
            if (stopped) {
                return;
            }
            cancelDisconnection();
            api.setApi(connection);
            objects.resume(connection);
            runs.resume();
        }
        updateConnected();
        listener.onStatusChanged();
    }

    /** Suspends until {@link #start}: no list, watch or run starts. A run in progress fails at its next request. */
    public void suspend() {
        synchronized (lock) {
            cancelDisconnection();
            runs.pause();
            objects.suspend();
            api.setApi(null);
            disconnection = scheduler.schedule(DISCONNECTION_DELAY, this::updateConnected);
        }
        listener.onStatusChanged();
    }

    /** Stops permanently. */
    public void stop() {
        synchronized (lock) {
            stopped = true;
            cancelDisconnection();
            runs.close();
            objects.end();
            api.setApi(null);
        }
    }

    private void cancelDisconnection() {
        if (disconnection != null) {
            disconnection.cancel();
            disconnection = null;
        }
    }

    /** Applies changed inputs from the management cluster. */
    public void inputs(TenantInputs now) {
        if (now.equals(inputs)) {
            return;
        }
        inputs = now;
        objects.watchServiceAccount(now.settings().provisioning().bootstrap().serviceAccount());
        watchGrants();
        runs.inputs(now);
        listener.onStatusChanged();
    }

    /**
     * Sets whether the worker cluster allows the hub to create accounts and roles for single MachineDeployments. Call it before
     * the first {@link #start}, so that a missing answer does not change published content.
     */
    public void setGrantsAllowed(boolean may) {
        if (may != granting) {
            granting = may;
            watchGrants();
            if (objects.isSynced()) {
                runs.requestRuns(Trigger.CREDENTIALS, machineDeployment -> true);
            }
        }
    }

    /** Watches grants while the settings require them, and afterwards until the leftover ones are deleted. */
    private void watchGrants() {
        boolean wanted = inputs.settings().provisioning().bootstrap().nodeFetch() != NodeFetch.SHARED_TOKEN;
        objects.watchGrants(granting && (wanted || objects.holdsGrants()));
    }

    /** Sets whether the hub's credential is valid. False (rejected, or expiring soon) puts new nodes at risk. */
    public void setCredentialsValid(boolean good) {
        updateConnectionHealth(connectionHealth -> new ConnectionHealth(connectionHealth.connected(), good, false));
    }

    /** Reads the current state, because a timer may run just when a connection is made. */
    private void updateConnected() {
        updateConnectionHealth(connectionHealth ->
                new ConnectionHealth(api.get() != null, connectionHealth.credentialsValid(), false));
    }

    private void updateConnectionHealth(UnaryOperator<ConnectionHealth> change) {
        synchronized (healthChanges) { // so that the runs learn of them in order
            ConnectionHealth now;
            synchronized (lock) {
                now = change.apply(connectionHealth);
                if (now.equals(connectionHealth)) {
                    return;
                }
                connectionHealth = now;
            }
            runs.setConnectionHealth(now);
        }
    }

    public void onProfilesChanged(Set<String> names) {
        runs.requestRuns(Trigger.PROFILE, machineDeployment -> names.contains(machineDeployment.profileName()));
    }

    /** Called when another writer changed or deleted an OperatingSystemConfig. Must not be called for the hub's own writes. */
    public void onConfigChanged(String name) {
        if (objects.isSynced()) {
            runs.onConfigChanged(name);
        }
    }

    /** Reconciles everything again at low priority. */
    public void resync() {
        runs.requestRuns(Trigger.RESYNC, machineDeployment -> true);
        runs.scheduleSweep();
    }

    /**
     * Removes the hub from the worker cluster; nothing is published from then on. Completes with what could not be removed, at
     * the latest after {@code patience}; {@link #start} may still be called until then. Call {@link #stop} afterwards.
     *
     * @param deletes whether to delete objects too; false removes only finalizers, to leave the cluster to another controller
     */
    public CompletableFuture<CleanupResult> startRemoval(boolean deletes, Duration patience) {
        return runs.remove(deletes, patience);
    }

    public SyncStatus status() {
        List<MachineDeploymentState> states =
                new ArrayList<>(runs.machineDeploymentViews().states());
        states.sort(Comparator.comparing(
                        (MachineDeploymentState state) -> state.key().namespace())
                .thenComparing(state -> state.key().name()));
        Map<Resource, ApiFailure> troubles = objects.latestFailures();
        return new SyncStatus(
                phase(),
                states,
                runs.machineDeploymentViews().replicas(),
                problems(troubles),
                troubles,
                objects.counts(),
                runs.waiting());
    }

    /** The displayed state of each MachineDeployment; empty until read. */
    public MachineDeploymentViews machineDeploymentViews() {
        return runs.machineDeploymentViews();
    }

    /** Time of the last event from the worker cluster; null before the first. */
    public @Nullable Instant lastEvent() {
        return lastEvent;
    }

    /** Inputs that previews need. */
    public TenantInputs inputs() {
        return inputs;
    }

    /**
     * Reads the current machines of a MachineDeployment; the hub does not watch them. Blocks.
     *
     * @throws ApiFailure if they cannot be read; the hub works without this permission
     */
    public Machines readMachines(String namespace, String machineDeployment) throws ApiFailure {
        return Machines.readMachines(api, namespace, machineDeployment);
    }

    /**
     * Finds the MachineDeployment of a machine; empty if it has none. Blocks.
     *
     * @throws ApiFailure if the machine does not exist or cannot be read
     */
    public String findMachineDeployment(String namespace, String machine) throws ApiFailure {
        return Machines.findOwner(api, namespace, machine);
    }

    private SyncStatus.Phase phase() {
        if (api.get() == null) {
            return SyncStatus.Phase.SUSPENDED;
        }
        if (!objects.isSynced()) {
            return SyncStatus.Phase.LISTING;
        }
        return runs.isFirstPassOver() ? SyncStatus.Phase.WORKING : SyncStatus.Phase.FIRST_PASS;
    }

    private List<ReasonMessage> problems(Map<Resource, ApiFailure> troubles) {
        List<ReasonMessage> problems = new ArrayList<>();
        ApiFailure failure = troubles.get(Resource.MACHINE_DEPLOYMENTS);
        if (failure != null && failure.isNotFound()) {
            problems.add(Reason.MachineDeploymentAPIMissing.with(variables()));
        }
        CertificateAuthorityMatcher.Mismatch mismatch = objects.isSynced() ? runs.mismatch() : null;
        if (mismatch != null) {
            problems.add(Reason.CertificateAuthorityMismatch.with(
                    variables(), "fingerprint", mismatch.joining(), "fingerprint2", mismatch.given()));
        }
        if (api.get() != null) {
            Duration oldest = runs.oldestWaiting();
            WriteRateLimiter.WaitingWrites toWrite = runs.waitingToWrite();
            if (toWrite.longest().compareTo(BACKLOG) > 0) {
                problems.add(backlog(
                        toWrite.count(), toWrite.longest(), "more changes than spec.connection.writeBudget allows"));
            } else if (oldest.compareTo(BACKLOG) > 0) {
                problems.add(backlog(runs.waiting(), oldest, "more changes than the hub's threads can process"));
            }
        }
        return problems;
    }

    private Map<String, String> variables() {
        return Map.of("tenant", inputs.namespace(), "wc", inputs.workerCluster());
    }

    private ReasonMessage backlog(int waiting, Duration oldest, String cause) {
        return Reason.SyncBacklog.with(
                variables(), "n", Integer.toString(waiting), "duration", oldest.toSeconds() + " s", "cause", cause);
    }

    /** Translates watch events into queue keys; decides nothing. */
    private final class WatchEventHandler implements WorkerInformers.WorkerEventListener {
        @Override
        public void onMachineDeploymentChanged(
                ObjectKey key,
                @Nullable WatchedMachineDeployment before,
                @Nullable WatchedMachineDeployment after,
                Origin origin) {
            lastEvent = scheduler.now();
            MachineDeployment old = before == null ? null : before.machineDeployment();
            MachineDeployment now = after == null ? null : after.machineDeployment();
            Set<ObjectKey> rivals = claims.changed(key, old, now);
            if (!objects.isSynced()) {
                return;
            }
            rivals.forEach(rival -> runs.requestRun(rival, Trigger.RESYNC));
            if (after == null || now == null) {
                runs.requestRun(key, Trigger.RESYNC);
                runs.scheduleSweep();
            } else if (origin == Origin.WRITTEN && (old == null || after.differsInFinalizersOnly(old))) {
                runs.onMachineDeploymentWritten(key, now.resourceVersion());
            } else if (old != null && isRevisionAwaited(old, after)) {
                runs.onRevisionAwaited(key);
            } else if (NameClaims.claims(now) || old != null && NameClaims.claims(old)) {
                runs.onMachineDeploymentChanged(
                        key,
                        now.resourceVersion(),
                        old == null || !NameClaims.claims(old) ? Trigger.CREATED : Trigger.REVISION);
            }
        }

        private static boolean isRevisionAwaited(MachineDeployment old, WatchedMachineDeployment after) {
            MachineDeployment now = after.machineDeployment();
            return NameClaims.claims(now)
                    && NameClaims.claims(old)
                    && now.deletionTimestamp() == null
                    && after.mistakes().isEmpty()
                    && !now.revision().isEmpty()
                    && now.revision().equals(old.revision())
                    && !after.hasTemplateOf(old);
        }

        @Override
        public void onSecretChanged(
                ObjectKey key, @Nullable SettingsSecret before, @Nullable SettingsSecret after, Origin origin) {
            lastEvent = scheduler.now();
            if (origin == Origin.WRITTEN) {
                runs.onSecretWritten(key);
            } else if (objects.isSynced()) {
                runs.onSecretChanged(key);
            }
        }

        @Override
        public void onTokenChanged(
                ObjectKey key, @Nullable StoredToken before, @Nullable StoredToken after, Origin origin) {
            lastEvent = scheduler.now();
            StoredToken one = before == null ? after : before;
            if (one == null) {
                return;
            }
            if (origin == Origin.WRITTEN) {
                runs.onTokenWritten(key);
            } else if (objects.isSynced()) {
                runs.onTokenChanged(key, one.label());
                if (after != null && !after.label().equals(one.label())) {
                    runs.onTokenChanged(key, after.label());
                }
            }
        }

        @Override
        public void onGrantChanged(
                GrantKind kind, @Nullable StoredGrant before, @Nullable StoredGrant after, Origin origin) {
            lastEvent = scheduler.now();
            StoredGrant one = before == null ? after : before;
            if (one == null) {
                return;
            }
            if (origin == Origin.WRITTEN) {
                runs.onGrantWritten(kind, one);
            } else if (objects.isSynced() && objects.areGrantsKnown()) {
                runs.onGrantChanged(kind, one);
            }
        }

        @Override
        public void onNodeAccessChanged() {
            if (objects.isSynced()) {
                runs.requestRuns(Trigger.ENDPOINT, machineDeployment -> true);
            }
        }

        @Override
        public void onSynced() {
            runs.begin();
            listener.onStatusChanged();
        }

        @Override
        public void onFailureChanged(Resource resource, @Nullable ApiFailure failure) {
            if (failure == null) {
                if (objects.latestFailures().isEmpty()) {
                    listener.onRecovered();
                }
            } else {
                listener.onRequestFailed(failure);
            }
            listener.onStatusChanged();
        }

        @Override
        public void onRestarted(Resource resource, ListWatchListener.RestartReason why) {
            observer.onWatchRestarted(resource.plural(), why.wireName());
        }
    }
}
