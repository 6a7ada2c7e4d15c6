package io.osmhub.workersync.reconcile;

import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.problem.Actor;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.reconcile.TenantContext.RunDependencies;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.watch.WatchedMachineDeployment;
import io.osmhub.workersync.watch.WorkerInformers;
import io.osmhub.workersync.write.ChangeWriter;
import io.osmhub.workersync.write.WriteResult;
import io.osmhub.workersync.write.WriteTarget;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Removes the hub from a worker cluster that remains: from each MachineDeployment, its objects as on deletion, or only its
 * finalizer; then sweeps what is left. Thread-safe.
 */
public final class TenantRemoval {
    private static final ChangeReason OBJECTS_KEPT =
            new ChangeReason(ChangeReason.Cause.REMOVAL, "tenant removed, objects kept");

    private final RunDependencies runDependencies;
    private final FactsCollector factsCollector;
    private final ChangeWriter changeWriter;
    private final WorkerInformers informers;
    private final OrphanCleaner orphanCleaner;
    private final boolean deletesObjects;
    private final Set<ObjectKey> remainingKeys = ConcurrentHashMap.newKeySet();
    private final CompletableFuture<CleanupResult> completion = new CompletableFuture<>();
    private volatile String failureCause = "timed out";

    /**
     * What removing a tenant left in its worker cluster.
     *
     * @param secrets remaining Secrets with the hub's mark, including bootstrap tokens
     * @param finalizers MachineDeployments that still have the hub's finalizer
     * @param cause why the removal is incomplete; empty if it is complete
     */
    public record CleanupResult(boolean complete, int secrets, int finalizers, String cause) {}

    /** @param deletesObjects false: keep the objects, to leave the cluster to another controller; remove only finalizers */
    TenantRemoval(
            RunDependencies runDependencies,
            FactsCollector factsCollector,
            ChangeWriter changeWriter,
            WorkerInformers informers,
            OrphanCleaner orphanCleaner,
            boolean deletesObjects) {
        this.runDependencies = runDependencies;
        this.factsCollector = factsCollector;
        this.changeWriter = changeWriter;
        this.informers = informers;
        this.orphanCleaner = orphanCleaner;
        this.deletesObjects = deletesObjects;
    }

    CompletableFuture<CleanupResult> completion() {
        return completion;
    }

    void addKey(ObjectKey key) {
        remainingKeys.add(key);
    }

    /**
     * Runs one key.
     *
     * @param requestSweep called when only the sweep remains: it deletes what was still being written during the previous one
     */
    RequeueDecision run(ObjectKey key, TenantInputs inputs, Runnable requestSweep) {
        if (completion.isDone()) {
            return new RequeueDecision.Done();
        }
        boolean isSweep = key.equals(RunScheduler.SWEEP);
        boolean isLast = isSweep && remainingKeys.isEmpty();
        WriteResult.FailedWrite failed;
        try {
            failed = isSweep ? sweep(inputs) : release(key, inputs);
        } catch (RuntimeException e) {
            failureCause = "unexpected error: " + e.getClass().getSimpleName();
            return new RequeueDecision.Retry(Actor.HUB, null);
        }
        if (failed != null) {
            failureCause = WriteTarget.of(failed.change()) + ": " + WriteFailureDiagnoser.cause(failed.failure());
            return new RequeueDecision.Retry(Actor.HUB, failed.failure().retryAfter());
        }
        if (isLast) {
            finish(inputs);
        } else if (remainingKeys.remove(key) && remainingKeys.isEmpty()) {
            requestSweep.run();
        }
        return new RequeueDecision.Done();
    }

    /** Completes with what remains, according to the caches. */
    void finish(TenantInputs inputs) {
        int finalizers = (int) informers.machineDeployments().all().stream()
                .filter(watched -> watched.machineDeployment().hasFinalizer())
                .count();
        int secrets = deletesObjects ? orphanCleaner.countMarked(inputs) : 0;
        boolean complete = finalizers == 0 && secrets == 0 && informers.isSynced();
        completion.complete(new CleanupResult(complete, secrets, finalizers, complete ? "" : failureCause));
    }

    private WriteResult.@Nullable FailedWrite sweep(TenantInputs inputs) {
        return deletesObjects ? orphanCleaner.deleteOrphans(inputs, Set.of()).failed() : null;
    }

    private WriteResult.@Nullable FailedWrite release(ObjectKey key, TenantInputs inputs) {
        WatchedMachineDeployment watched = informers.machineDeployments().get(key);
        if (watched == null || !watched.machineDeployment().hasFinalizer()) {
            return null;
        }
        MachineDeployment machineDeployment = watched.machineDeployment();
        PlannedChange finalizer = new PlannedChange.SetFinalizer(0, OBJECTS_KEPT, machineDeployment, false);
        try {
            changeWriter.resolveUncertainWrites(FactsCollector.keys(key));
            return changeWriter
                    .apply(deletesObjects ? planDeletion(machineDeployment, inputs) : List.of(finalizer))
                    .failed();
        } catch (ApiFailure failure) {
            return new WriteResult.FailedWrite(finalizer, failure);
        }
    }

    /** Runs on a render thread: determining an object's owner may require rendering. */
    private List<PlannedChange> planDeletion(MachineDeployment machineDeployment, TenantInputs inputs) {
        Facts facts = factsCollector.collectForRemoval(machineDeployment, inputs);
        return runDependencies.rendering().call(inputs.namespace(), () -> runDependencies
                .decider()
                .decide(facts)
                .changes());
    }
}
