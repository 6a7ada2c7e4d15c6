package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.CertificateAuthorityMismatch;
import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.plan.StoredGrant.GrantKind;
import io.osmhub.core.plan.StoredToken;
import io.osmhub.core.status.RunResult.ConnectionHealth;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.Resource;
import io.osmhub.workersync.port.SyncListener;
import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.queue.TenantQueue;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.reconcile.RunReport.PendingTrigger;
import io.osmhub.workersync.reconcile.RunReport.RunOutcome;
import io.osmhub.workersync.reconcile.SelfWriteFilter.ObservedVersion;
import io.osmhub.workersync.watch.ListWatchListener;
import io.osmhub.workersync.watch.ObjectCache.Origin;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.SecretReader.SettingsSecret;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.write.WriteRateLimiter;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Maps the events of one tenant to keys, and schedules their runs: at most one at a time for each MachineDeployment, and one more
 * key that deletes leftovers of deleted MachineDeployments. Thread-safe.
 */
public final class RunScheduler {
    /** Key of the sweep; no MachineDeployment has an empty name. */
    static final ObjectKey SWEEP = new ObjectKey("", "");

    /** Deleting a MachineDeployment deletes its objects; anything that remains later is a leftover. */
    private static final Duration SWEEP_DELAY = Duration.ofSeconds(10);

    /** machine-controller sets the revision of a changed template within this time, unless it is stopped or paused. */
    private static final Duration REVISION_DELAY = Duration.ofSeconds(2);

    private final TenantContext tenantContext;
    private final SyncListener syncListener;
    private final NameClaims nameClaims = new NameClaims();
    private final SelfWriteFilter selfWriteFilter = new SelfWriteFilter();
    private final AdoptionCounter adoptionCounter = new AdoptionCounter();
    /** What first triggered a run, until the run succeeds. */
    private final Map<ObjectKey, PendingTrigger> pendingTriggers = new ConcurrentHashMap<>();

    private final Set<ObjectKey> firstPassKeys = ConcurrentHashMap.newKeySet();
    private final WorkerInformers informers;
    private final RunExecutor runExecutor;
    private final MachineDeploymentViews machineDeploymentViews;
    private final TenantQueue<ObjectKey> tenantQueue;
    private volatile TenantInputs inputs;
    private volatile boolean begun;
    private volatile @Nullable TenantRemoval tenantRemoval;
    private volatile @Nullable Instant lastEvent;

    /** Runs start when all lists of {@link #informers} are complete. */
    public RunScheduler(TenantContext tenantContext, TenantInputs inputs) {
        this.tenantContext = tenantContext;
        this.inputs = inputs;
        syncListener = tenantContext.tenantPorts().syncListener();
        informers = new WorkerInformers(new WatchEventHandler(), tenantContext.runtimeContext());
        runExecutor = new RunExecutor(tenantContext, informers, nameClaims, inputs);
        machineDeploymentViews = runExecutor.createViews();
        tenantQueue = tenantContext
                .runDependencies()
                .queue()
                .createTenantQueue(inputs.settings().connection().maxConcurrentReconciles());
    }

    // Triggers

    private void requestRun(ObjectKey key, Trigger trigger) {
        recordTrigger(key, trigger);
        tenantQueue.add(key, trigger == Trigger.RESYNC ? Urgency.RESYNC : Urgency.FRESH);
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
        runExecutor
                .writeRateLimiter()
                .setLimits(newInputs.settings().connection().writeBudget());
        tenantQueue.setMaxParallel(newInputs.settings().connection().maxConcurrentReconciles());
        requestAllRuns(Trigger.SETTINGS);
    }

    /** Updates the state that all MachineDeployments share. */
    public void updateConnectionHealth(UnaryOperator<ConnectionHealth> update) {
        MachineDeploymentStates states = runExecutor.machineDeploymentStates();
        if (states.updateConnectionHealth(update)) {
            if (states.isConnectionHealthy()) {
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
        TenantRemoval removal = runExecutor.createRemoval(deletesObjects);
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
        return lastEvent;
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
        return runExecutor.writeRateLimiter().waiting();
    }

    /** The difference between the CA that nodes join with and the one published to them; null if there is none. */
    public @Nullable CertificateAuthorityMismatch findMismatch() {
        return runExecutor.nodeJoinResolver().findMismatch(inputs);
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
        return key.equals(SWEEP) ? runExecutor.sweep(inputs) : reconcile(key, failures);
    }

    private RequeueDecision reconcile(ObjectKey key, int failures) {
        PendingTrigger trigger = pendingTriggers.remove(key);
        selfWriteFilter.beginRun(key);
        RunReport report = runExecutor.run(key, inputs, failures, trigger);
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

    private void onFirstPassProgress() {
        if (firstPassKeys.isEmpty()) {
            AdoptionCounter.AdoptionCount count = adoptionCounter.takeCount();
            if (count.machineDeployments() > 0) {
                runExecutor.runEvents().recordAdoptions(inputs, count);
            }
            syncListener.onStatusChanged();
        }
    }

    /** All lists are complete: reconciles everything once. */
    private void begin() {
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

    /** Translates watch events into keys; decides nothing. */
    private final class WatchEventHandler implements WorkerInformers.WorkerEventListener {
        @Override
        public void onMachineDeploymentChanged(
                ObjectKey key,
                @Nullable WatchedMachineDeployment before,
                @Nullable WatchedMachineDeployment after,
                Origin origin) {
            lastEvent = tenantContext.scheduler().now();
            MachineDeployment old = before == null ? null : before.machineDeployment();
            MachineDeployment current = after == null ? null : after.machineDeployment();
            Set<ObjectKey> rivals = nameClaims.changed(key, old, current);
            if (!informers.isSynced()) {
                return;
            }
            rivals.forEach(rival -> requestRun(rival, Trigger.RESYNC));
            if (after == null || current == null) {
                requestRun(key, Trigger.RESYNC);
                scheduleSweep();
                return;
            }
            ObservedVersion observed =
                    new ObservedVersion(Resource.MACHINE_DEPLOYMENTS, key, current.resourceVersion());
            if (origin == Origin.WRITTEN && (old == null || after.differsInFinalizersOnly(old))) {
                selfWriteFilter.recordSelfWrite(observed);
            } else if (old != null && isRevisionAwaited(old, after)) {
                // Waits for machine-controller's new revision, to publish both at once.
                recordTrigger(key, Trigger.REVISION);
                tenantQueue.addAfter(key, REVISION_DELAY);
            } else if ((NameClaims.claims(current) || old != null && NameClaims.claims(old))
                    && !selfWriteFilter.deferIfRunning(observed, key)) {
                requestRun(key, old == null || !NameClaims.claims(old) ? Trigger.CREATED : Trigger.REVISION);
            }
        }

        /** The template changed, and machine-controller has not set the revision yet. */
        private static boolean isRevisionAwaited(MachineDeployment old, WatchedMachineDeployment after) {
            MachineDeployment current = after.machineDeployment();
            return NameClaims.claims(current)
                    && NameClaims.claims(old)
                    && current.deletionTimestamp() == null
                    && after.mistakes().isEmpty()
                    && !current.revision().isEmpty()
                    && current.revision().equals(old.revision())
                    && !after.hasTemplateOf(old);
        }

        @Override
        public void onSecretChanged(
                ObjectKey key, @Nullable SettingsSecret before, @Nullable SettingsSecret after, Origin origin) {
            onObjectChanged(Resource.SECRETS, key, origin, nameClaims.claimants(NameClaims.secret(key.name())));
        }

        @Override
        public void onTokenChanged(
                ObjectKey key, @Nullable StoredToken before, @Nullable StoredToken after, Origin origin) {
            if (before != null) {
                onObjectChanged(Resource.SECRETS, key, origin, nameClaims.claimants(NameClaims.token(before.label())));
            }
            if (after != null && (before == null || !after.label().equals(before.label()))) {
                onObjectChanged(Resource.SECRETS, key, origin, nameClaims.claimants(NameClaims.token(after.label())));
            }
        }

        @Override
        public void onGrantChanged(
                GrantKind kind, @Nullable StoredGrant before, @Nullable StoredGrant after, Origin origin) {
            lastEvent = tenantContext.scheduler().now();
            StoredGrant grant = before == null ? after : before;
            if (grant == null || origin != Origin.WRITTEN && !informers.areGrantsKnown()) {
                return;
            }
            ObjectKey key = new ObjectKey(ObjectNames.SETTINGS_NAMESPACE, grant.name());
            ObjectKey owner = owner(grant);
            boolean isOwned = owner != null && informers.machineDeployments().get(owner) != null;
            onObjectChanged(WorkerInformers.resource(kind), key, origin, isOwned ? List.of(owner) : List.of());
        }

        /** Returns null if it has no mark. */
        private static @Nullable ObjectKey owner(StoredGrant grant) {
            String owner = grant.annotations().getOrDefault(OwnershipAnnotations.OWNER, "");
            int slash = owner.indexOf('/');
            return slash < 0 ? null : new ObjectKey(owner.substring(0, slash), owner.substring(slash + 1));
        }

        /** An object of the claimants was created, changed or deleted. */
        private void onObjectChanged(Resource resource, ObjectKey key, Origin origin, List<ObjectKey> claimants) {
            lastEvent = tenantContext.scheduler().now();
            ObservedVersion observed = new ObservedVersion(resource, key);
            if (origin == Origin.WRITTEN) {
                selfWriteFilter.recordSelfWrite(observed);
            } else if (informers.isSynced()) {
                claimants.stream()
                        .filter(claimant -> !selfWriteFilter.deferIfRunning(observed, claimant))
                        .forEach(claimant -> requestRun(claimant, Trigger.DRIFT));
                if (claimants.isEmpty()) {
                    scheduleSweep();
                }
            }
        }

        @Override
        public void onNodeAccessChanged() {
            if (informers.isSynced()) {
                requestAllRuns(Trigger.ENDPOINT);
            }
        }

        @Override
        public void onSynced() {
            begin();
            syncListener.onStatusChanged();
        }

        @Override
        public void onFailureChanged(Resource resource, @Nullable ApiFailure failure) {
            if (failure != null) {
                syncListener.onRequestFailed(failure);
            } else if (informers.latestFailures().isEmpty()) {
                syncListener.onRecovered();
            }
            syncListener.onStatusChanged();
        }

        @Override
        public void onRestarted(Resource resource, ListWatchListener.RestartReason reason) {
            tenantContext.runDependencies().observer().onWatchRestarted(resource.plural(), reason.wireName());
        }
    }
}
