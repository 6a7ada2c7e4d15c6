package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.CertificateAuthorityMismatch;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.status.RunResult.ConnectionHealth;
import io.osmhub.workersync.apiserver.RequestAttribution;
import io.osmhub.workersync.port.SyncListener;
import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.port.TenantPorts;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.queue.TenantQueue;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.reconcile.RunReport.PendingTrigger;
import io.osmhub.workersync.reconcile.RunReport.RunOutcome;
import io.osmhub.workersync.reconcile.RunReport.RunRequest;
import io.osmhub.workersync.reconcile.RunTraceRecorder.ActiveTrace;
import io.osmhub.workersync.reconcile.TenantContext.RunDependencies;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.write.ChangeWriter;
import io.osmhub.workersync.write.WriteRateLimiter;
import io.osmhub.workersync.write.WriteResult;
import io.osmhub.workersync.write.WriteTarget;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the runs of one tenant: at most one at a time for each MachineDeployment, and one more key that deletes leftovers of
 * deleted MachineDeployments. Passes the report of each run to the listeners. Thread-safe.
 */
public final class RunScheduler {
    /** Key of the sweep; no MachineDeployment has an empty name. */
    static final ObjectKey SWEEP = new ObjectKey("", "");

    /** Deleting a MachineDeployment deletes its objects; anything that remains later is a leftover. */
    private static final Duration SWEEP_DELAY = Duration.ofSeconds(10);

    private final TenantContext tenantContext;
    private final SyncListener syncListener;
    private final NameClaims nameClaims = new NameClaims();
    private final SelfWriteFilter selfWriteFilter = new SelfWriteFilter();
    private final AdoptionCounter adoptionCounter = new AdoptionCounter();
    /** What first triggered a run, until the run succeeds. */
    private final Map<ObjectKey, PendingTrigger> pendingTriggers = new ConcurrentHashMap<>();

    private final Set<ObjectKey> firstPassKeys = ConcurrentHashMap.newKeySet();
    private final WatchEventHandler watchEventHandler;
    private final WorkerInformers informers;
    private final NodeJoinResolver nodeJoinResolver;
    private final FactsCollector factsCollector;
    private final ChangeWriter changeWriter;
    private final WriteRateLimiter writeRateLimiter;
    private final MachineDeploymentStates machineDeploymentStates;
    private final MachineDeploymentViews machineDeploymentViews;
    private final Reconciler reconciler;
    private final RunEvents runEvents;
    private final OrphanCleaner orphanCleaner;
    private final RunTraceRecorder runTraceRecorder;
    private final List<RunListener> runListeners;
    private final TenantQueue<ObjectKey> tenantQueue;
    private volatile TenantInputs inputs;
    private volatile boolean begun;
    private volatile @Nullable TenantRemoval tenantRemoval;

    /** Runs start when all lists of {@link #informers} are complete. */
    public RunScheduler(TenantContext tenantContext, TenantInputs inputs) {
        this.tenantContext = tenantContext;
        this.inputs = inputs;
        TenantPorts ports = tenantContext.tenantPorts();
        RunDependencies dependencies = tenantContext.runDependencies();
        syncListener = ports.syncListener();
        watchEventHandler = new WatchEventHandler(this, tenantContext, nameClaims, selfWriteFilter);
        informers = new WorkerInformers(watchEventHandler, tenantContext.runtimeContext());
        changeWriter = new ChangeWriter(
                tenantContext.currentConnection(),
                informers,
                ports.configStore(),
                tenantContext.scheduler(),
                dependencies.parallel());
        nodeJoinResolver = new NodeJoinResolver(informers);
        factsCollector = new FactsCollector(
                tenantContext, informers, nameClaims, nodeJoinResolver, changeWriter.unpublishedTokens());
        writeRateLimiter = new WriteRateLimiter(
                tenantContext.scheduler(), inputs.settings().connection().writeBudget());
        machineDeploymentStates = new MachineDeploymentStates(ports.configStore(), tenantContext.scheduler());
        machineDeploymentViews = new MachineDeploymentViews(informers, factsCollector, machineDeploymentStates);
        reconciler = new Reconciler(
                tenantContext,
                factsCollector,
                changeWriter,
                writeRateLimiter,
                machineDeploymentStates,
                key -> requestRun(key, Trigger.RESYNC));
        runEvents = new RunEvents(tenantContext);
        orphanCleaner = new OrphanCleaner(informers, ports.configStore(), changeWriter, runEvents);
        runTraceRecorder =
                new RunTraceRecorder(dependencies.tracer(), dependencies.queue(), tenantContext.runtimeContext());
        runListeners = List.of(
                new RunLog(),
                runEvents,
                machineDeploymentStates,
                new RunMetrics(dependencies.observer()),
                runTraceRecorder);
        tenantQueue = dependencies
                .queue()
                .createTenantQueue(inputs.settings().connection().maxConcurrentReconciles());
    }

    // Triggers

    void requestRun(ObjectKey key, Trigger trigger) {
        recordTrigger(key, trigger);
        tenantQueue.add(key, trigger == Trigger.RESYNC ? Urgency.RESYNC : Urgency.FRESH);
    }

    /** Runs the key after a delay, or earlier for another trigger. */
    void requestRunAfter(ObjectKey key, Trigger trigger, Duration delay) {
        recordTrigger(key, trigger);
        tenantQueue.addAfter(key, delay);
    }

    /** The first trigger counts, except that any trigger replaces a resync. */
    private void recordTrigger(ObjectKey key, Trigger trigger) {
        pendingTriggers.merge(
                key,
                new PendingTrigger(trigger, tenantContext.scheduler().nanoTime()),
                (known, next) -> known.trigger() == Trigger.RESYNC ? next : known);
    }

    /** Triggers all MachineDeployments that the hub manages. */
    public void requestAllRuns(Trigger trigger) {
        requestRuns(trigger, machineDeployment -> true);
    }

    /** Triggers all matching MachineDeployments that the hub manages. */
    public void requestRuns(Trigger trigger, Predicate<MachineDeployment> filter) {
        informers.machineDeployments().all().stream()
                .map(WatchedMachineDeployment::machineDeployment)
                .filter(NameClaims::claims)
                .filter(filter)
                .map(machineDeployment -> new ObjectKey(machineDeployment.namespace(), machineDeployment.name()))
                .forEach(key -> requestRun(key, trigger));
    }

    /** Triggers the claimants of an OperatingSystemConfig. */
    public void onConfigChanged(String name) {
        List<ObjectKey> claimants = nameClaims.claimants(NameClaims.config(name));
        claimants.forEach(key -> requestRun(key, Trigger.DRIFT));
        if (claimants.isEmpty()) {
            scheduleSweep();
        }
    }

    /** Called when a MachineDeployment was deleted or an unclaimed object found. */
    public void scheduleSweep() {
        tenantQueue.addAfter(SWEEP, SWEEP_DELAY);
    }

    public void setInputs(TenantInputs newInputs) {
        inputs = newInputs;
        writeRateLimiter.setLimits(newInputs.settings().connection().writeBudget());
        tenantQueue.setMaxParallel(newInputs.settings().connection().maxConcurrentReconciles());
        requestAllRuns(Trigger.SETTINGS);
    }

    /** Updates the state that all MachineDeployments share. */
    public void updateConnectionHealth(UnaryOperator<ConnectionHealth> update) {
        if (machineDeploymentStates.updateConnectionHealth(update)) {
            if (machineDeploymentStates.isConnectionHealthy()) {
                requestAllRuns(Trigger.RESYNC);
            }
            syncListener.onStatusChanged();
        }
    }

    public void pause() {
        tenantQueue.pause();
    }

    public void resume() {
        tenantQueue.resume();
    }

    public void close() {
        tenantQueue.close();
        TenantRemoval removal = tenantRemoval;
        if (removal != null) {
            removal.finish(inputs);
        }
    }

    /**
     * Removes the hub from the worker cluster. Completes at the latest after {@code timeout}, successfully or not; includes
     * waiting while paused.
     *
     * @param deletesObjects whether to delete objects too, or only remove finalizers
     */
    public CompletableFuture<TenantRemoval.CleanupResult> remove(boolean deletesObjects, Duration timeout) {
        TenantRemoval removal = new TenantRemoval(
                tenantContext.runDependencies(),
                factsCollector,
                changeWriter,
                informers,
                orphanCleaner,
                deletesObjects);
        tenantRemoval = removal;
        tenantContext.scheduler().schedule(timeout, () -> removal.finish(inputs));
        if (begun) {
            requestRemoval(removal);
        }
        return removal.completion();
    }

    /**
     * Removes all known MachineDeployments; call only once all lists are complete. Includes those without a finalizer: a running
     * reconcile may be about to write it, and the key waits for its end.
     */
    private void requestRemoval(TenantRemoval removal) {
        List<ObjectKey> keys = machineDeploymentViews.keys();
        keys.forEach(removal::addKey);
        keys.forEach(key -> tenantQueue.add(key, Urgency.FRESH));
        requestSweep();
    }

    private void requestSweep() {
        tenantQueue.add(SWEEP, Urgency.FRESH);
    }

    // State

    public WorkerInformers informers() {
        return informers;
    }

    public MachineDeploymentViews machineDeploymentViews() {
        return machineDeploymentViews;
    }

    /** Time of the last event from the worker cluster; null before the first. */
    public @Nullable Instant lastEvent() {
        return watchEventHandler.lastEvent();
    }

    /** Number of queued keys. */
    public int waiting() {
        return tenantQueue.waiting();
    }

    public Duration oldestWaiting() {
        return tenantQueue.oldestWaiting();
    }

    /** MachineDeployments whose changes wait for the write budget. */
    public WriteRateLimiter.WaitingWrites waitingToWrite() {
        return writeRateLimiter.waiting();
    }

    /** The difference between the CA that nodes join with and the one published to them; null if there is none. */
    public @Nullable CertificateAuthorityMismatch findMismatch() {
        return nodeJoinResolver.findMismatch(inputs);
    }

    /** Whether everything was reconciled once. */
    public boolean isFirstPassOver() {
        return begun && firstPassKeys.isEmpty();
    }

    // Runs

    private RequeueDecision run(ObjectKey key, int failures) {
        TenantRemoval removal = tenantRemoval;
        if (removal != null) {
            return removal.run(key, inputs, this::requestSweep);
        }
        return key.equals(SWEEP) ? orphanCleaner.sweep(inputs) : reconcile(key, failures);
    }

    private RequeueDecision reconcile(ObjectKey key, int failures) {
        PendingTrigger trigger = pendingTriggers.remove(key);
        selfWriteFilter.beginRun(key);
        RunReport report = runAndReport(key, failures, trigger);
        if (selfWriteFilter.endRun(key)) {
            requestRun(key, Trigger.DRIFT);
        }
        if (!report.isFinished() && trigger != null) {
            pendingTriggers.merge(key, trigger, (known, failed) -> failed);
        }
        if (report.outcome() instanceof RunOutcome.Decided decided
                && decided.postponement() == null
                && firstPassKeys.contains(key)) {
            adoptionCounter.addRun(
                    decided.facts(),
                    decided.decision(),
                    tenantContext.tenantPorts().configStore().hasStatusSubresource());
        }
        if (firstPassKeys.remove(key)) {
            onFirstPassProgress();
        }
        syncListener.onStatusChanged();
        return report.requeueDecision();
    }

    private RunReport runAndReport(ObjectKey key, int failures, @Nullable PendingTrigger trigger) {
        ActiveTrace trace = runTraceRecorder.begin();
        RunRequest request = new RunRequest(key, createRunId(), inputs, failures, trigger, trace);
        RunReport report;
        try {
            report = trace == null
                    ? reconciler.reconcile(request)
                    : RequestAttribution.callWithListener(trace, () -> reconciler.reconcile(request));
            notifyListeners(report);
        } catch (RuntimeException e) {
            report = reconciler.reportCrash(request, e);
            notifyListeners(report);
        }
        return report;
    }

    private void notifyListeners(RunReport report) {
        runListeners.forEach(listener -> listener.onRunEnded(report));
        if (report.outcome() instanceof RunOutcome.Decided decided) {
            WriteResult.FailedWrite failed = decided.written().failed();
            if (failed != null
                    && failed.failure().isForbidden()
                    && WriteTarget.of(failed.change()).isGrant()) {
                // A permission may have been revoked.
                syncListener.onRequestFailed(failed.failure());
            }
        }
    }

    /** Twelve hexadecimal digits: unique enough for a year of runs. */
    private String createRunId() {
        return String.format(
                Locale.ROOT, "%012x", tenantContext.runtimeContext().random().nextLong() & 0xffff_ffff_ffffL);
    }

    private void onFirstPassProgress() {
        if (firstPassKeys.isEmpty()) {
            AdoptionCounter.AdoptionCount count = adoptionCounter.takeCount();
            if (count.machineDeployments() > 0) {
                runEvents.recordAdoptions(inputs, count);
            }
            syncListener.onStatusChanged();
        }
    }

    /** All lists are complete: reconciles everything once. */
    void begin() {
        TenantRemoval removal = tenantRemoval;
        if (removal != null) {
            begun = true;
            requestRemoval(removal);
        } else {
            firstPassKeys.addAll(machineDeploymentViews.keys());
            begun = true;
            requestAllRuns(Trigger.RESYNC);
            tenantQueue.add(SWEEP, Urgency.RESYNC);
        }
        tenantQueue.start(this::run);
        if (removal == null) {
            onFirstPassProgress();
        }
    }
}
