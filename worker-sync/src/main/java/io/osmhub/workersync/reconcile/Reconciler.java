package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.Decider;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.write.ChangeWriter;
import io.osmhub.workersync.write.WriteRateLimiter;
import io.osmhub.workersync.write.WriteResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/** Keeps one MachineDeployment's objects in the state that its profile requires. Safe to run again after any failure. */
final class Reconciler {
    /** Each round fetches what the previous one missed; provider configs reference few objects. */
    private static final int FETCH_ROUNDS = 8;

    /** Maximum writes that follow a token: the bootstrap token and the objects that embed one. */
    private static final int WITH_A_TOKEN = 5;

    private final FactsCollector look;
    private final ProviderReferenceCache references;
    private final Decider decider;
    private final RenderExecutor rendering;
    private final ChangeWriter writer;
    private final WriteRateLimiter budget;
    private final DriftLoopDetector drift;
    private final SyncObserver observer;
    private final Scheduler timers;

    Reconciler(
            FactsCollector look,
            ProviderReferenceCache references,
            Decider decider,
            RenderExecutor rendering,
            ChangeWriter writer,
            WriteRateLimiter budget,
            DriftLoopDetector drift,
            SyncObserver observer,
            Scheduler timers) {
        this.look = look;
        this.references = references;
        this.decider = decider;
        this.rendering = rendering;
        this.writer = writer;
        this.budget = budget;
        this.drift = drift;
        this.observer = observer;
        this.timers = timers;
    }

    sealed interface ReconcileOutcome {
        /** The MachineDeployment no longer exists. */
        record NotFound() implements ReconcileOutcome {}

        /** The writes must wait for the write budget; nothing was written. */
        record Throttled(Facts facts, Decision decision, Duration delay) implements ReconcileOutcome {}

        /** Another writer keeps reverting the hub's writes; nothing was written. */
        record DriftLoopDetected(Facts facts, Decision decision, DriftLoopDetector.DriftLoop loop, Duration delay)
                implements ReconcileOutcome {}

        /** The current state could not be read. */
        record ReadFailed(ApiFailure failure) implements ReconcileOutcome {}

        /** Decided, and wrote as far as possible. */
        record Applied(Facts facts, Decision decision, WriteResult written, StepDurations times, boolean fetched)
                implements ReconcileOutcome {}
    }

    record StepDurations(Duration collect, Duration decide, Duration write) {}

    ReconcileOutcome reconcile(ObjectKey key, TenantInputs inputs, RunTraceRecorder notes) {
        long start = timers.nanoTime();
        ProviderReferenceCache.ReferenceSession session = references.openSession();
        Facts facts;
        Decision decision;
        long looked;
        try {
            writer.resolveUncertainWrites(FactsCollector.keys(key));
            facts = look.collect(key, inputs, session);
            if (facts == null) {
                budget.release(key);
                return new ReconcileOutcome.NotFound();
            }
            looked = timers.nanoTime();
            notes.recordStep("look", start, looked);
            decision = decide(facts, session, notes);
        } catch (ApiFailure failure) {
            budget.release(key);
            return new ReconcileOutcome.ReadFailed(failure);
        }
        long decided = timers.nanoTime();
        notes.recordStep("decide", looked, decided);
        if (decision.problems().stream().anyMatch(problem -> problem.reason() == Reason.ObjectNotOwned)) {
            // Nothing is written, so no response would reveal that the cache is wrong: the retry reads what is stored.
            writer.doubtCached(FactsCollector.keys(key));
        }
        List<PlannedChange> changes = decision.changes();
        DriftLoopDetector.RepairPause pause = drift.findPause(changes);
        if (pause != null) {
            budget.release(key);
            return new ReconcileOutcome.DriftLoopDetected(facts, decision, pause.loop(), pause.duration());
        }
        int writes = (int) changes.stream()
                .filter(change -> WriteTarget.of(change).inWorker())
                .count();
        boolean goesOn = changes.stream().anyMatch(PlannedChange.RequestFetchToken.class::isInstance);
        if (goesOn) {
            writes += WITH_A_TOKEN;
        }
        if (writes == 0) {
            budget.release(key);
        } else {
            Duration wait = budget.reserve(key, writes, turn(facts, changes));
            if (wait.isPositive()) {
                return new ReconcileOutcome.Throttled(facts, decision, wait);
            }
        }
        WriteResult written = writer.apply(changes);
        if (goesOn && written.failed() == null) {
            // Use the token that exists now; the caches contain the other writes.
            Facts now = look.collect(key, inputs, session);
            if (now != null) {
                facts = now;
                decision = rendering.call(inputs.namespace(), () -> measured(now, notes));
                WriteResult more = writer.apply(decision.changes());
                List<WriteResult.CompletedWrite> all = new ArrayList<>(written.completed());
                all.addAll(more.completed());
                written = new WriteResult(all, more.failed());
            }
        }
        StepDurations times = new StepDurations(
                Duration.ofNanos(looked - start),
                Duration.ofNanos(decided - looked),
                Duration.ofNanos(timers.nanoTime() - decided));
        return new ReconcileOutcome.Applied(facts, decision, written, times, session.used());
    }

    /**
     * Writes have low priority if machines can start from the published content meanwhile. They are urgent if an object is
     * missing or machine-controller waits for the revision, because no machine starts then; or if the token changes, because none
     * joins without it.
     */
    private static WriteRateLimiter.WritePriority turn(Facts facts, List<PlannedChange> changes) {
        boolean rotates = changes.stream().anyMatch(change -> change.reason().cause() == ChangeReason.Cause.CONTENT);
        return rotates
                        && facts.found().deletedToken() == null
                        && changes.stream().noneMatch(Reconciler::bringsRevision)
                ? WriteRateLimiter.WritePriority.PATIENT
                : WriteRateLimiter.WritePriority.FIRST;
    }

    private static boolean bringsRevision(PlannedChange change) {
        return change instanceof PlannedChange.UpdateSecret update
                && update.role() == SecretRole.BOOTSTRAP
                && !Objects.equals(
                        update.found().annotations().get(SourceAnnotations.REVISION),
                        update.object().annotations().get(SourceAnnotations.REVISION));
    }

    private Decision decide(Facts facts, ProviderReferenceCache.ReferenceSession session, RunTraceRecorder notes)
            throws ApiFailure {
        String tenant = facts.tenant().namespace();
        Decision decision = rendering.call(tenant, () -> measured(facts, notes));
        for (int round = 0; round < FETCH_ROUNDS && session.hasMissing(); round++) {
            session.fetch();
            decision = rendering.call(tenant, () -> measured(facts, notes));
        }
        return decision;
    }

    /** Measured on the render thread to exclude waiting; rendering dominates a decision. */
    private Decision measured(Facts facts, RunTraceRecorder notes) {
        long start = timers.nanoTime();
        Decision decision = decider.decide(facts);
        Decision.RenderSummary rendered =
                switch (decision.outcome()) {
                    case Decision.Outcome.Published(Decision.RenderSummary made) -> made;
                    case Decision.Outcome.NotPublished(Decision.RenderSummary made) -> made;
                    case Decision.Outcome.NotManaged _,
                            Decision.Outcome.Terminating _,
                            Decision.Outcome.Blocked _,
                            Decision.Outcome.NotRendered _,
                            Decision.Outcome.AwaitingFetchToken _,
                            Decision.Outcome.Failed _ -> null;
                };
        if (rendered != null) {
            String engine =
                    rendered.profile().compiled().spec().templateEngine().wireName();
            long end = timers.nanoTime();
            observer.onRendered(engine, Duration.ofNanos(end - start));
            long bytes = rendered.bytes().values().stream()
                    .mapToLong(Integer::longValue)
                    .sum();
            notes.recordRendering(engine, bytes, start, end);
        }
        return decision;
    }
}
