package io.osmhub.workersync;

import io.osmhub.core.bootstrap.CertificateAuthorityMismatch;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.settings.TenantSettings.NodeFetch;
import io.osmhub.core.status.RunResult.ConnectionHealth;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.CurrentConnection;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.events.EventWriter;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.SyncListener;
import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.TenantPorts;
import io.osmhub.workersync.reconcile.MachineDeploymentViews;
import io.osmhub.workersync.reconcile.RunScheduler;
import io.osmhub.workersync.reconcile.TenantContext;
import io.osmhub.workersync.reconcile.TenantRemoval.CleanupResult;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.write.WriteRateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Predicate;
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
    private static final Duration BACKLOG_DELAY = Duration.ofSeconds(60);
    /** Shorter disconnections are not reported. */
    private static final Duration DISCONNECTION_DELAY = Duration.ofSeconds(10);

    private final CurrentConnection currentConnection = new CurrentConnection(null);
    private final SyncListener syncListener;
    private final Scheduler scheduler;
    private final RunScheduler runScheduler;
    private final WorkerInformers informers;
    private final Object lock = new Object();
    private volatile TenantInputs inputs;
    private Scheduler.@Nullable ScheduledTask disconnectionTask;
    private boolean stopped;
    private volatile boolean grantsAllowed;

    /**
     * Dependencies shared by all syncs.
     *
     * @param replica name of this replica, shown in Events
     */
    public record SyncEnvironment(
            RuntimeContext runtimeContext, TenantContext.RunDependencies runDependencies, String replica) {}

    /** Creates a suspended sync. */
    public WorkerSync(TenantInputs inputs, TenantPorts ports, SyncEnvironment environment) {
        this.inputs = inputs;
        syncListener = ports.syncListener();
        RuntimeContext runtimeContext = environment.runtimeContext();
        scheduler = runtimeContext.scheduler();
        EventWriter workerEvents = new EventWriter(
                currentConnection,
                scheduler,
                runtimeContext.blockingExecutor(),
                runtimeContext.random(),
                environment.replica());
        runScheduler = new RunScheduler(
                new TenantContext(
                        currentConnection, workerEvents, ports, environment.runDependencies(), runtimeContext),
                inputs);
        informers = runScheduler.informers();
        informers.watchServiceAccount(
                inputs.settings().provisioning().bootstrap().serviceAccount());
    }

    /** Starts, resumes, or switches to a new connection to the same cluster; keeps the caches. */
    public void start(KubeApi connection) {
        synchronized (lock) {
            if (stopped) {
                return;
            }
            cancelDisconnection();
            currentConnection.set(connection);
            informers.resume(connection);
            runScheduler.resume();
        }
        updateConnected();
        syncListener.onStatusChanged();
    }

    /** Suspends until {@link #start}: no list, watch or run starts. A run in progress fails at its next request. */
    public void suspend() {
        synchronized (lock) {
            cancelDisconnection();
            runScheduler.pause();
            informers.suspend();
            currentConnection.set(null);
            disconnectionTask = scheduler.schedule(DISCONNECTION_DELAY, this::updateConnected);
        }
        syncListener.onStatusChanged();
    }

    /** Stops permanently. */
    public void stop() {
        synchronized (lock) {
            stopped = true;
            cancelDisconnection();
            runScheduler.close();
            informers.end();
            currentConnection.set(null);
        }
    }

    private void cancelDisconnection() {
        if (disconnectionTask != null) {
            disconnectionTask.cancel();
            disconnectionTask = null;
        }
    }

    /** Applies changed inputs from the management cluster. */
    public void inputs(TenantInputs newInputs) {
        if (newInputs.equals(inputs)) {
            return;
        }
        inputs = newInputs;
        informers.watchServiceAccount(
                newInputs.settings().provisioning().bootstrap().serviceAccount());
        watchGrants();
        if (informers.latestFailures().isEmpty()) {
            // What failed may no longer be needed.
            syncListener.onRecovered();
        }
        runScheduler.setInputs(newInputs);
        syncListener.onStatusChanged();
    }

    /**
     * Sets whether the worker cluster allows the hub to create accounts and roles for single MachineDeployments. Call it before
     * the first {@link #start}, so that a missing answer does not change published content.
     */
    public void setGrantsAllowed(boolean allowed) {
        if (allowed != grantsAllowed) {
            grantsAllowed = allowed;
            watchGrants();
            if (informers.isSynced()) {
                runScheduler.requestAllRuns(Trigger.CREDENTIALS);
            }
        }
    }

    /** Watches grants while the settings require them, and afterwards until the leftover ones are deleted. */
    private void watchGrants() {
        boolean wanted = inputs.settings().provisioning().bootstrap().nodeFetch() != NodeFetch.SHARED_TOKEN;
        informers.watchGrants(grantsAllowed && (wanted || informers.holdsGrants()));
    }

    /** Sets whether the hub's credential is valid. False (rejected, or expiring soon) puts new nodes at risk. */
    public void setCredentialsValid(boolean valid) {
        runScheduler.updateConnectionHealth(health -> new ConnectionHealth(health.connected(), valid, false));
    }

    /** Reads the current state, because a timer may run just when a connection is made. */
    private void updateConnected() {
        runScheduler.updateConnectionHealth(
                health -> new ConnectionHealth(currentConnection.isPresent(), health.credentialsValid(), false));
    }

    public void onProfilesChanged(Predicate<String> names) {
        runScheduler.requestRuns(Trigger.PROFILE, machineDeployment -> names.test(machineDeployment.profileName()));
    }

    public void onExtensionsChanged() {
        runScheduler.requestAllRuns(Trigger.EXTENSION);
    }

    /** Called when another writer changed or deleted an OperatingSystemConfig. Must not be called for the hub's own writes. */
    public void onConfigChanged(String name) {
        if (informers.isSynced()) {
            runScheduler.onConfigChanged(name);
        }
    }

    /** Reconciles everything again at low priority. */
    public void resync() {
        runScheduler.requestAllRuns(Trigger.RESYNC);
        runScheduler.scheduleSweep();
    }

    /**
     * Removes the hub from the worker cluster; nothing is published from then on. Completes with what could not be removed, at
     * the latest after {@code timeout}; {@link #start} may still be called until then. Call {@link #stop} afterwards.
     *
     * @param deletes whether to delete objects too; false removes only finalizers, to leave the cluster to another controller
     */
    public CompletableFuture<CleanupResult> startRemoval(boolean deletes, Duration timeout) {
        return runScheduler.remove(deletes, timeout);
    }

    public SyncStatus status() {
        return new SyncStatus(
                phase(),
                runScheduler.machineDeploymentViews().states(),
                runScheduler.machineDeploymentViews().replicas(),
                problems(),
                informers.counts());
    }

    /** The displayed state of each MachineDeployment; empty until read. */
    public MachineDeploymentViews machineDeploymentViews() {
        return runScheduler.machineDeploymentViews();
    }

    /** Time of the last event from the worker cluster; null before the first. */
    public @Nullable Instant lastEvent() {
        return runScheduler.lastEvent();
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
        return Machines.readMachines(currentConnection.get(), namespace, machineDeployment);
    }

    /**
     * Finds the MachineDeployment of a machine; empty if it has none. Blocks.
     *
     * @throws ApiFailure if the machine does not exist or cannot be read
     */
    public String findMachineDeployment(String namespace, String machine) throws ApiFailure {
        return Machines.findOwner(currentConnection.get(), namespace, machine);
    }

    private SyncStatus.Phase phase() {
        if (!currentConnection.isPresent()) {
            return SyncStatus.Phase.SUSPENDED;
        }
        if (!informers.isSynced()) {
            return SyncStatus.Phase.LISTING;
        }
        return runScheduler.isFirstPassOver() ? SyncStatus.Phase.WORKING : SyncStatus.Phase.FIRST_PASS;
    }

    private List<Problem> problems() {
        List<Problem> problems = new ArrayList<>();
        ApiFailure failure = informers.latestFailures().get(Resource.MACHINE_DEPLOYMENTS);
        if (failure != null && failure.isNotFound()) {
            problems.add(Reason.MachineDeploymentAPIMissing.with(inputs.variables()));
        }
        CertificateAuthorityMismatch mismatch = informers.isSynced() ? runScheduler.findMismatch() : null;
        if (mismatch != null) {
            problems.add(Reason.CertificateAuthorityMismatch.with(
                    inputs.variables(), "fingerprint", mismatch.joining(), "fingerprint2", mismatch.given()));
        }
        if (currentConnection.isPresent()) {
            Duration oldest = runScheduler.oldestWaiting();
            WriteRateLimiter.WaitingWrites toWrite = runScheduler.waitingToWrite();
            if (toWrite.longest().compareTo(BACKLOG_DELAY) > 0) {
                problems.add(backlog(
                        toWrite.count(), toWrite.longest(), "more changes than spec.connection.writeBudget allows"));
            } else if (oldest.compareTo(BACKLOG_DELAY) > 0) {
                problems.add(
                        backlog(runScheduler.waiting(), oldest, "more changes than the hub's threads can process"));
            }
        }
        return problems;
    }

    private Problem backlog(int waiting, Duration oldest, String cause) {
        return Reason.SyncBacklog.with(
                inputs.variables(),
                "n",
                Integer.toString(waiting),
                "duration",
                oldest.toSeconds() + " s",
                "cause",
                cause);
    }
}
