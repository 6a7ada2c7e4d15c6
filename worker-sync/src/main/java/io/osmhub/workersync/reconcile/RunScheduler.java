package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.CertificateAuthorityMatcher;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.DesiredGrant.GrantKind;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.OwnershipAnnotations;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredGrant;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.status.RunResult.ConnectionHealth;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.apiserver.KubeApi;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.EventRecorder;
import io.osmhub.workersync.port.ProfileCatalog;
import io.osmhub.workersync.port.RunTracer;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.queue.TenantQueue;
import io.osmhub.workersync.queue.Urgency;
import io.osmhub.workersync.queue.WorkQueue;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.RuntimeContext;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.write.ChangeWriter;
import io.osmhub.workersync.write.UnpublishedTokens;
import io.osmhub.workersync.write.WriteRateLimiter;
import io.osmhub.workersync.write.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Schedules the runs of one tenant: at most one at a time for each MachineDeployment, and one more key that deletes leftovers of
 * deleted MachineDeployments. Thread-safe.
 */
public final class RunScheduler {
    /** Key of the sweep; no MachineDeployment has an empty name. */
    private static final ObjectKey SWEEP = new ObjectKey("", "");

    /** Deleting a MachineDeployment deletes its objects; anything that remains later is a leftover. */
    private static final Duration SWEEP_AFTER = Duration.ofSeconds(10);

    /** machine-controller sets the revision of a changed template within this time, unless it is stopped or paused. */
    private static final Duration REVISION_SET_WITHIN = Duration.ofSeconds(2);

    private final WorkerInformers objects;
    private final ConfigStore configs;
    private final RuntimeContext around;
    private final RunDependencies tools;
    private final Runnable changed;
    private final Consumer<ApiFailure> refused;
    private final NameClaims claims;
    private final PendingTriggers triggers = new PendingTriggers();
    private final SelfWriteFilter echoes = new SelfWriteFilter();
    private final AdoptionCounter adoptions = new AdoptionCounter();
    private final RunEventRecorder teller;
    private final WriteRateLimiter budget;
    private final ChangeWriter writer;
    private final Reconciler reconciler;
    private final MachineDeploymentReleaser removal;
    private final OrphanCleaner leftovers;
    private final RunResultHandler aftermath;
    private final MachineDeploymentViews machineDeploymentViews;
    private final NodeJoinResolver access;
    private final TenantQueue<ObjectKey> lane;
    private final Set<ObjectKey> firstPass = ConcurrentHashMap.newKeySet();
    private volatile TenantInputs inputs;
    private volatile boolean begun;
    private volatile @Nullable TenantRemoval removing;

    /**
     * Dependencies shared by all tenants.
     *
     * @param decider thread-safe
     * @param parallel runs concurrent requests of one run on a virtual thread each
     */
    public record RunDependencies(
            WorkQueue queue,
            Decider decider,
            RenderExecutor rendering,
            SyncObserver observer,
            RunTracer tracer,
            Executor parallel) {}

    /** Recorders for the worker and the management cluster. */
    public record EventRecorders(EventRecorder worker, EventRecorder management) {}

    /**
     * Ports to the management cluster.
     *
     * @param problems those in the WorkerCluster's status at start: an earlier process recorded Events for them
     */
    public record ManagementPorts(ConfigStore configs, ProfileCatalog profiles, List<OpenProblem> problems) {
        public ManagementPorts {
            problems = List.copyOf(problems);
        }
    }

    /**
     * Creates a paused scheduler; call {@link #resume}.
     *
     * @param changed called after each run; must not block
     * @param refused called when a permission may be missing; must not block
     */
    public RunScheduler(
            KubeApi api,
            WorkerInformers objects,
            ManagementPorts management,
            EventRecorders sinks,
            RunDependencies tools,
            RuntimeContext around,
            TenantInputs inputs,
            NameClaims claims,
            Runnable changed,
            Consumer<ApiFailure> refused) {
        this.objects = objects;
        this.configs = management.configs();
        this.around = around;
        this.tools = tools;
        this.inputs = inputs;
        this.claims = claims;
        this.changed = changed;
        this.refused = refused;
        teller = new RunEventRecorder(sinks.worker(), sinks.management());
        budget = new WriteRateLimiter(
                around.scheduler(), inputs.settings().connection().writeBudget());
        UnpublishedTokens freshTokens = new UnpublishedTokens();
        access = new NodeJoinResolver(objects);
        FactsCollector look = new FactsCollector(
                objects, configs, management.profiles(), claims, access, freshTokens, around.scheduler());
        writer = new ChangeWriter(api, objects, configs, around.scheduler(), freshTokens, tools.parallel());
        DriftLoopDetector drift = new DriftLoopDetector(around.scheduler(), around.random());
        ProviderReferenceCache references = new ProviderReferenceCache(api, around.scheduler());
        reconciler = new Reconciler(
                look,
                references,
                tools.decider(),
                tools.rendering(),
                writer,
                budget,
                drift,
                tools.observer(),
                around.scheduler());
        removal = new MachineDeploymentReleaser(
                look, references, tools.decider(), tools.rendering(), writer, objects, around.scheduler());
        leftovers = new OrphanCleaner(objects, configs, writer);
        aftermath = new RunResultHandler(management, teller, drift, tools.observer(), around.scheduler());
        machineDeploymentViews = new MachineDeploymentViews(objects, look, aftermath);
        lane = tools.queue().createTenantQueue(inputs.settings().connection().maxConcurrentReconciles(), this::run);
        lane.pause();
    }

    // Triggers

    public void requestRun(ObjectKey key, Trigger trigger) {
        triggers.recordTrigger(key, trigger, around.scheduler().nanoTime());
        lane.add(key, trigger == Trigger.RESYNC ? Urgency.RESYNC : Urgency.FRESH);
    }

    /** Triggers all matching MachineDeployments that the hub manages. */
    public void requestRuns(Trigger trigger, Predicate<MachineDeployment> which) {
        for (MachineDeployment machineDeployment : machineDeployments()) {
            if (which.test(machineDeployment)) {
                requestRun(new ObjectKey(machineDeployment.namespace(), machineDeployment.name()), trigger);
            }
        }
    }

    /** Triggers the claimants of an OperatingSystemConfig. */
    public void onConfigChanged(String name) {
        List<ObjectKey> claimants = claims.claimants(NameClaims.config(name));
        claimants.forEach(key -> requestRun(key, Trigger.DRIFT));
        if (claimants.isEmpty()) {
            scheduleSweep();
        }
    }

    /** A managed MachineDeployment was created or changed. */
    public void onMachineDeploymentChanged(ObjectKey key, String version, Trigger trigger) {
        if (!echoes.deferIfRunning(key, version)) {
            requestRun(key, trigger);
        }
    }

    /** The template changed: waits for machine-controller's new revision, to publish both at once. */
    public void onRevisionAwaited(ObjectKey key) {
        triggers.recordTrigger(key, Trigger.REVISION, around.scheduler().nanoTime());
        lane.addAfter(key, REVISION_SET_WITHIN);
    }

    public void onMachineDeploymentWritten(ObjectKey key, String version) {
        echoes.recordSelfWrite(key, version);
    }

    /** A Secret in {@code cloud-init-settings} was created, changed or deleted. */
    public void onSecretChanged(ObjectKey secret) {
        changed(SelfWriteFilter.ObjectKind.SECRET, secret, NameClaims.secret(secret.name()));
    }

    public void onSecretWritten(ObjectKey secret) {
        echoes.recordSelfWrite(SelfWriteFilter.ObjectKind.SECRET, secret);
    }

    /** A bootstrap token with this label was created, changed or deleted. */
    public void onTokenChanged(ObjectKey token, String label) {
        changed(SelfWriteFilter.ObjectKind.TOKEN, token, NameClaims.token(label));
    }

    public void onTokenWritten(ObjectKey token) {
        echoes.recordSelfWrite(SelfWriteFilter.ObjectKind.TOKEN, token);
    }

    /** An account, role or binding of a MachineDeployment was created, changed or deleted. */
    public void onGrantChanged(GrantKind kind, StoredGrant grant) {
        ObjectKey owner = owner(grant);
        if (owner == null || objects.machineDeployments().get(owner) == null) {
            scheduleSweep();
        } else if (!echoes.deferIfRunning(
                SelfWriteFilter.ObjectKind.GRANT, new ObjectKey(kind.plural(), grant.name()), owner)) {
            requestRun(owner, Trigger.DRIFT);
        }
    }

    public void onGrantWritten(GrantKind kind, StoredGrant grant) {
        echoes.recordSelfWrite(SelfWriteFilter.ObjectKind.GRANT, new ObjectKey(kind.plural(), grant.name()));
    }

    /** Returns null if it has no mark. */
    private static @Nullable ObjectKey owner(StoredGrant grant) {
        String owner = grant.annotations().getOrDefault(OwnershipAnnotations.OWNER, "");
        int slash = owner.indexOf('/');
        return slash < 0 ? null : new ObjectKey(owner.substring(0, slash), owner.substring(slash + 1));
    }

    private void changed(SelfWriteFilter.ObjectKind kind, ObjectKey object, String claim) {
        List<ObjectKey> claimants = claims.claimants(claim);
        for (ObjectKey claimant : claimants) {
            if (!echoes.deferIfRunning(kind, object, claimant)) {
                requestRun(claimant, Trigger.DRIFT);
            }
        }
        if (claimants.isEmpty()) {
            scheduleSweep();
        }
    }

    /** Called when a MachineDeployment was deleted or an unclaimed object found. */
    public void scheduleSweep() {
        lane.addAfter(SWEEP, SWEEP_AFTER);
    }

    /** All lists are complete: reconciles everything once. */
    public void begin() {
        TenantRemoval current = removing;
        if (current != null) {
            begun = true;
            removeEach(current);
            lane.resume();
            return;
        }
        firstPass.addAll(machineDeploymentViews.keys());
        begun = true;
        requestRuns(Trigger.RESYNC, machineDeployment -> true);
        lane.add(SWEEP, Urgency.RESYNC);
        lane.resume();
        onFirstPassProgress();
    }

    public void pause() {
        lane.pause();
    }

    public void resume() {
        if (begun) {
            lane.resume();
        }
    }

    public void close() {
        lane.close();
        TenantRemoval current = removing;
        if (current != null) {
            finish(current);
        }
    }

    private List<MachineDeployment> machineDeployments() {
        return objects.machineDeployments().all().stream()
                .map(WatchedMachineDeployment::machineDeployment)
                .filter(NameClaims::claims)
                .toList();
    }

    public void inputs(TenantInputs now) {
        inputs = now;
        budget.setLimits(now.settings().connection().writeBudget());
        lane.setMaxParallel(now.settings().connection().maxConcurrentReconciles());
        requestRuns(Trigger.SETTINGS, machineDeployment -> true);
    }

    /** Updates the state that all MachineDeployments share. */
    public void setConnectionHealth(ConnectionHealth now) {
        aftermath.connectionHealth(now);
        if (now.connected() && now.credentialsValid()) {
            requestRuns(Trigger.RESYNC, machineDeployment -> true);
        }
        changed.run();
    }

    public MachineDeploymentViews machineDeploymentViews() {
        return machineDeploymentViews;
    }

    public int waiting() {
        return lane.waiting();
    }

    public Duration oldestWaiting() {
        return lane.oldestWaiting();
    }

    /** The difference between the CA that nodes join with and the one published to them; null if there is none. */
    public CertificateAuthorityMatcher.@Nullable Mismatch mismatch() {
        return access.findMismatch(inputs);
    }

    /** MachineDeployments whose changes wait for the write budget. */
    public WriteRateLimiter.WaitingWrites waitingToWrite() {
        return budget.waiting();
    }

    /** Whether everything was reconciled once. */
    public boolean isFirstPassOver() {
        return begun && firstPass.isEmpty();
    }

    // Runs

    private RequeueDecision run(ObjectKey key, int failures) {
        TenantRemoval current = removing;
        if (current != null) {
            return remove(current, key);
        }
        return key.equals(SWEEP) ? sweep() : reconcile(key, failures);
    }

    private RequeueDecision reconcile(ObjectKey key, int failures) {
        TenantInputs now = inputs;
        PendingTriggers.PendingTrigger by = triggers.take(key);
        echoes.beginRun(key);
        RunTraceRecorder notes = RunTraceRecorder.begin(tools.tracer(), around);
        RunResultHandler.RunRequest asked =
                new RunResultHandler.RunRequest(key, RunLog.newId(around.random()), notes, now, failures, by);
        RunResultHandler.RunFollowUp follow;
        boolean finished = false;
        try {
            Reconciler.ReconcileOutcome outcome = notes.callTraced(() -> reconciler.reconcile(key, now, notes));
            finished = outcome instanceof Reconciler.ReconcileOutcome.NotFound
                    || outcome instanceof Reconciler.ReconcileOutcome.Applied decided
                            && decided.written().failed() == null;
            if (outcome instanceof Reconciler.ReconcileOutcome.Applied decided && firstPass.contains(key)) {
                adoptions.addRun(decided.facts(), decided.decision(), configs.hasStatusSubresource());
            }
            follow = aftermath.handleOutcome(asked, outcome);
            reportCredentialRejected(outcome);
        } catch (RuntimeException e) {
            follow = aftermath.handleBug(asked, e);
        }
        notes.publishTrace(tools, asked);
        if (echoes.endRun(key)) {
            requestRun(key, Trigger.DRIFT);
        }
        if (!finished && by != null) {
            triggers.putBack(key, by);
        }
        if (follow.again() != null) {
            lane.addAfter(key, follow.again());
        }
        if (firstPass.remove(key)) {
            onFirstPassProgress();
        }
        changed.run();
        return follow.next();
    }

    /** A permission may have been revoked. */
    private void reportCredentialRejected(Reconciler.ReconcileOutcome outcome) {
        WriteResult.FailedWrite failed = outcome instanceof Reconciler.ReconcileOutcome.Applied decided
                ? decided.written().failed()
                : null;
        if (failed != null
                && failed.failure().isForbidden()
                && WriteTarget.of(failed.change()).isGrant()) {
            refused.accept(failed.failure());
        }
    }

    private void onFirstPassProgress() {
        if (firstPass.isEmpty()) {
            AdoptionCounter.AdoptionCount count = adoptions.takeCount();
            if (count.machineDeployments() > 0) {
                teller.recordAdoptions(inputs, count);
            }
            changed.run();
        }
    }

    private RequeueDecision sweep() {
        TenantInputs now = inputs;
        if (now.paused() || !objects.isSynced()) {
            return new RequeueDecision.Done();
        }
        WriteResult written = leftovers.deleteOrphans(now, leftovers.collectLiveNames());
        if (!written.completed().isEmpty()) {
            teller.recordLeftovers(
                    now,
                    written.completed().stream()
                            .map(WriteResult.CompletedWrite::change)
                            .toList());
        }
        WriteResult.FailedWrite failed = written.failed();
        return failed == null
                ? new RequeueDecision.Done()
                : new RequeueDecision.Retry(Actor.OPERATOR, failed.failure().retryAfter());
    }

    // Removal

    /**
     * Removes the hub from the worker cluster. Completes at the latest after {@code patience}, successfully or not; includes
     * waiting while paused.
     *
     * @param deletes whether to delete objects too, or only remove finalizers
     */
    public CompletableFuture<CleanupResult> remove(boolean deletes, Duration patience) {
        TenantRemoval current = new TenantRemoval(deletes);
        removing = current;
        around.scheduler().schedule(patience, () -> finish(current));
        if (begun) {
            removeEach(current);
        }
        return current.completion();
    }

    /**
     * Removes all known MachineDeployments; call only once all lists are complete. Includes those without a finalizer: a running
     * reconcile may be about to write it, and the key waits for its end.
     */
    private void removeEach(TenantRemoval current) {
        List<ObjectKey> keys = machineDeploymentViews.keys();
        keys.forEach(current::add);
        keys.forEach(key -> lane.add(key, Urgency.FRESH));
        lane.add(SWEEP, Urgency.FRESH);
    }

    private RequeueDecision remove(TenantRemoval current, ObjectKey key) {
        if (current.completion().isDone()) {
            return new RequeueDecision.Done();
        }
        boolean last = key.equals(SWEEP) && current.isSweepAlone();
        WriteResult.FailedWrite failed;
        try {
            failed = key.equals(SWEEP)
                    ? leftovers.deleteAll(inputs, current.deletesObjects())
                    : removal.release(key, inputs, current.deletesObjects());
        } catch (RuntimeException e) {
            current.recordFailure("unexpected error: " + e.getClass().getSimpleName());
            return new RequeueDecision.Retry(Actor.HUB, null);
        }
        if (failed != null) {
            current.recordFailure(
                    WriteTarget.of(failed.change()) + ": " + WriteFailureDiagnoser.cause(failed.failure()));
            return new RequeueDecision.Retry(Actor.HUB, failed.failure().retryAfter());
        }
        if (last) {
            finish(current);
        } else if (current.markDone(key)) {
            // Deletes what was still being written during the previous sweep.
            lane.add(SWEEP, Urgency.FRESH);
        }
        return new RequeueDecision.Done();
    }

    private void finish(TenantRemoval current) {
        current.completion().complete(leftovers.countRemaining(inputs, current));
    }

    /** Remembers what first triggered a run, and when, until the run succeeds. Thread-safe. */
    static final class PendingTriggers {
        private final Map<ObjectKey, PendingTrigger> asked = new ConcurrentHashMap<>();

        /** @param nanos monotonic */
        record PendingTrigger(Trigger trigger, long nanos) {}

        void recordTrigger(ObjectKey key, Trigger trigger, long nanos) {
            // The first trigger counts, except that any trigger replaces a resync.
            asked.merge(
                    key,
                    new PendingTrigger(trigger, nanos),
                    (known, more) -> known.trigger() == Trigger.RESYNC ? more : known);
        }

        @Nullable PendingTrigger take(ObjectKey key) {
            return asked.remove(key);
        }

        /** Restores a trigger whose run failed. */
        void putBack(ObjectKey key, PendingTrigger again) {
            asked.merge(key, again, (known, more) -> more);
        }
    }

    /** State of a tenant's removal. Thread-safe. */
    static final class TenantRemoval {
        private final boolean deletesObjects;
        private final Set<ObjectKey> left = ConcurrentHashMap.newKeySet();
        private final CompletableFuture<CleanupResult> completion = new CompletableFuture<>();
        private volatile String cause = "timed out";

        /** @param deletes false: keep the objects, to leave the cluster to another controller; remove only finalizers */
        TenantRemoval(boolean deletes) {
            this.deletesObjects = deletes;
        }

        boolean deletesObjects() {
            return deletesObjects;
        }

        CompletableFuture<CleanupResult> completion() {
            return completion;
        }

        void add(ObjectKey key) {
            left.add(key);
        }

        /** Returns true for the last MachineDeployment. */
        boolean markDone(ObjectKey key) {
            return left.remove(key) && left.isEmpty();
        }

        /** Whether only the sweep remains. */
        boolean isSweepAlone() {
            return left.isEmpty();
        }

        void recordFailure(String why) {
            cause = why;
        }

        String cause() {
            return cause;
        }
    }

    /**
     * Counts the objects of Operating System Manager (OSM) that the hub adopts during the first pass. An OperatingSystemConfig
     * without a mark and a status is newly adopted: later it has a status, and a mark once its content changes. If the CRD has no
     * status, only the run that marks it counts, because later runs look the same.
     */
    static final class AdoptionCounter {
        private int machineDeployments;
        private int unchanged;
        private int changed;

        /** @param changed Secrets whose content changes */
        record AdoptionCount(int machineDeployments, int unchanged, int changed) {}

        synchronized void addRun(Facts facts, Decision decision, boolean keepsStatus) {
            StoredConfig config = facts.found().config();
            if (config == null
                    || config.status() != null
                    || config.annotations().containsKey(OwnershipAnnotations.OWNER)
                    || !(decision.outcome() instanceof Decision.Outcome.Published)) {
                return;
            }
            List<PlannedChange> changes = decision.changes();
            if (!keepsStatus && changes.stream().noneMatch(PlannedChange.ReplaceConfig.class::isInstance)) {
                return;
            }
            int toChange = (int) changes.stream()
                    .filter(change -> change instanceof PlannedChange.UpdateSecret
                            || change instanceof PlannedChange.ReplaceSecret)
                    .count();
            machineDeployments++;
            changed += toChange;
            unchanged += facts.found().secrets().size() - toChange;
        }

        /** Returns the counts since the last call. */
        synchronized AdoptionCount takeCount() {
            AdoptionCount count = new AdoptionCount(machineDeployments, unchanged, changed);
            machineDeployments = 0;
            unchanged = 0;
            changed = 0;
            return count;
        }
    }

    /**
     * What removing a tenant left in its worker cluster.
     *
     * @param secrets remaining Secrets with the hub's mark, including bootstrap tokens
     * @param finalizers MachineDeployments that still have the hub's finalizer
     * @param cause why the removal is incomplete; empty if it is complete
     */
    public record CleanupResult(boolean complete, int secrets, int finalizers, String cause) {}
}
