package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.bootstrap.SourceAnnotations;
import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.status.MachineDeploymentReport;
import io.osmhub.core.status.RunResult;
import io.osmhub.core.status.RunResult.ConnectionHealth;
import io.osmhub.core.status.RunResult.FailureThreshold;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.reconcile.RunReport.Postponement;
import io.osmhub.workersync.reconcile.RunReport.Rendering;
import io.osmhub.workersync.reconcile.RunReport.RunOutcome;
import io.osmhub.workersync.reconcile.RunReport.RunRequest;
import io.osmhub.workersync.reconcile.RunReport.StepTimes;
import io.osmhub.workersync.reconcile.TenantContext.RunDependencies;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.write.ChangeWriter;
import io.osmhub.workersync.write.WriteRateLimiter;
import io.osmhub.workersync.write.WriteResult;
import io.osmhub.workersync.write.WriteTarget;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Keeps one MachineDeployment's objects in the state that its profile requires. Safe to run again after any failure.
 * Thread-safe.
 */
final class Reconciler {
    /** Maximum writes that follow a token: the bootstrap token and the objects that embed one. */
    private static final int WRITES_WITH_TOKEN = 5;

    /** Content that seems unchanged after a restart is rendered this much later, when the start is over. */
    private static final Duration VERIFIED_AFTER = Duration.ofMinutes(1);

    /** Later by up to this much, so that the renderings of a fleet take a small share of one processor. */
    private static final Duration VERIFICATION_SPREAD = Duration.ofMinutes(9);

    /** Of content that seems unchanged after a restart. */
    private enum Verification {
        SCHEDULED,
        DUE,
        RENDERED
    }

    private final RunDependencies runDependencies;
    private final Scheduler scheduler;
    private final RandomGenerator random;
    private final FactsCollector factsCollector;
    private final ChangeWriter changeWriter;
    private final WriteRateLimiter writeRateLimiter;
    private final DriftLoopDetector driftLoopDetector;
    private final MachineDeploymentStates machineDeploymentStates;
    private final Consumer<ObjectKey> verificationRequester;
    private final Map<ObjectKey, FailureThreshold> failureThresholds = new ConcurrentHashMap<>();
    private final Map<ObjectKey, Verification> verifications = new ConcurrentHashMap<>();

    /** @param verificationRequester requests a run that is not urgent */
    Reconciler(
            TenantContext tenantContext,
            FactsCollector factsCollector,
            ChangeWriter changeWriter,
            WriteRateLimiter writeRateLimiter,
            MachineDeploymentStates machineDeploymentStates,
            Consumer<ObjectKey> verificationRequester) {
        this.runDependencies = tenantContext.runDependencies();
        this.scheduler = tenantContext.scheduler();
        this.factsCollector = factsCollector;
        this.changeWriter = changeWriter;
        this.writeRateLimiter = writeRateLimiter;
        this.machineDeploymentStates = machineDeploymentStates;
        this.verificationRequester = verificationRequester;
        random = tenantContext.runtimeContext().random();
        driftLoopDetector = new DriftLoopDetector(scheduler, random);
    }

    RunReport reconcile(RunRequest request) {
        ObjectKey key = request.key();
        long began = scheduler.nanoTime();
        Facts facts;
        try {
            changeWriter.resolveUncertainWrites(FactsCollector.keys(key));
            facts = factsCollector.collect(key, request.inputs());
        } catch (ApiFailure failure) {
            writeRateLimiter.release(key);
            return report(
                    request,
                    new RunOutcome.ReadFailed(failure, recordFailure(key).failures()),
                    new RequeueDecision.Retry(Actor.HUB, failure.retryAfter()));
        }
        if (facts == null) {
            return reportNotFound(request);
        }
        long collected = scheduler.nanoTime();
        List<Rendering> renderings = new ArrayList<>();
        Decision decision = decide(facts, request, renderings);
        if (decision.outcome() instanceof Decision.Outcome.NotManaged) {
            return reportNotFound(request);
        }
        long decided = scheduler.nanoTime();
        if (decision.problems().stream().anyMatch(problem -> problem.reason() == Reason.ObjectNotOwned)) {
            // Nothing is written, so no response would reveal that the cache is wrong: the retry reads what is stored.
            changeWriter.doubtCached(FactsCollector.keys(key));
        }
        Postponement postponement = findPostponement(key, facts, decision.changes());
        WriteResult written = postponement == null ? changeWriter.apply(decision.changes()) : WriteResult.NONE;
        if (postponement == null && written.failed() == null && requestsToken(decision.changes())) {
            // Use the token that exists now; the caches contain the other writes.
            Facts newFacts = factsCollector.collect(key, request.inputs());
            if (newFacts != null) {
                facts = newFacts;
                decision = decide(newFacts, request, renderings);
                written = written.followedBy(changeWriter.apply(decision.changes()));
            }
        }
        StepTimes times = new StepTimes(began, collected, decided, scheduler.nanoTime(), renderings);
        return reportDecided(request, facts, decision, written, postponement, times);
    }

    /** Renders, unless the content published before a restart is still unchanged; that is rendered later to verify it. */
    private Decision decide(Facts facts, RunRequest request, List<Rendering> renderings) {
        ObjectKey key = request.key();
        Verification verification = verifications.get(key);
        Decision unchanged = verification == Verification.RENDERED
                ? null
                : runDependencies.decider().decideUnchanged(facts);
        if (unchanged != null && verification != Verification.DUE) {
            if (verification == null) {
                scheduleVerification(key);
            }
            return unchanged;
        }
        verifications.put(key, Verification.RENDERED);
        return render(facts, request.inputs().namespace(), unchanged, renderings);
    }

    /** Runs on a render thread; rendering dominates a decision. */
    private Decision render(Facts facts, String tenant, @Nullable Decision unchanged, List<Rendering> renderings) {
        return runDependencies.rendering().call(tenant, () -> {
            long began = scheduler.nanoTime();
            Decision decision = runDependencies.decider().decide(facts);
            // A failed verification counts as a rendering of what is published.
            Decision.RenderSummary rendered = Objects.requireNonNullElse(
                            decision.outcome().rendered() == null ? unchanged : decision, decision)
                    .outcome()
                    .rendered();
            if (rendered != null) {
                renderings.add(new Rendering(
                        rendered.profile().compiled().spec().templateEngine().wireName(),
                        rendered.bytes().values().stream()
                                .mapToLong(Integer::longValue)
                                .sum(),
                        began,
                        scheduler.nanoTime(),
                        unchanged != null && differs(decision, unchanged)));
            }
            return decision;
        });
    }

    /** Also of a paused tenant, and if no token needs another run. */
    private void scheduleVerification(ObjectKey key) {
        verifications.put(key, Verification.SCHEDULED);
        scheduler.schedule(VERIFIED_AFTER.plusSeconds(random.nextLong(VERIFICATION_SPREAD.toSeconds())), () -> {
            if (verifications.replace(key, Verification.SCHEDULED, Verification.DUE)) {
                verificationRequester.accept(key);
            }
        });
    }

    private static boolean differs(Decision decision, Decision unchanged) {
        return !decision.outcome().equals(unchanged.outcome())
                || !decision.changes().equals(unchanged.changes())
                || !decision.withheld().equals(unchanged.withheld())
                || !decision.problems().equals(unchanged.problems());
    }

    /** Null if the changes may be written now. */
    private @Nullable Postponement findPostponement(ObjectKey key, Facts facts, List<PlannedChange> changes) {
        Postponement repairPause = driftLoopDetector.findPostponement(changes);
        if (repairPause != null) {
            writeRateLimiter.release(key);
            return repairPause;
        }
        int writes = (int) changes.stream()
                .filter(change -> WriteTarget.of(change).inWorker())
                .count();
        if (requestsToken(changes)) {
            writes += WRITES_WITH_TOKEN;
        }
        if (writes == 0) {
            writeRateLimiter.release(key);
            return null;
        }
        Duration delay = writeRateLimiter.reserve(key, writes, priority(facts, changes));
        return delay.isPositive() ? new Postponement(delay, null) : null;
    }

    private static boolean requestsToken(List<PlannedChange> changes) {
        return changes.stream().anyMatch(PlannedChange.RequestFetchToken.class::isInstance);
    }

    /**
     * Writes have low priority if machines can start from the published content meanwhile. They are urgent if an object is
     * missing or machine-controller waits for the revision, because no machine starts then; or if the token changes, because none
     * joins without it.
     */
    private static WriteRateLimiter.WritePriority priority(Facts facts, List<PlannedChange> changes) {
        boolean rotates = changes.stream().anyMatch(change -> change.reason().cause() == ChangeReason.Cause.CONTENT);
        return rotates
                        && facts.found().deletedToken() == null
                        && changes.stream().noneMatch(Reconciler::bringsRevision)
                ? WriteRateLimiter.WritePriority.PATIENT
                : WriteRateLimiter.WritePriority.FIRST;
    }

    private static boolean bringsRevision(PlannedChange change) {
        return change instanceof PlannedChange.UpdateSecret update
                && update.object().role() == SecretRole.BOOTSTRAP
                && !Objects.equals(
                        update.found().annotations().get(SourceAnnotations.REVISION),
                        update.object().annotations().get(SourceAnnotations.REVISION));
    }

    // Reports

    /** Reports a run that threw an exception. */
    RunReport reportCrash(RunRequest request, RuntimeException exception) {
        return report(request, new RunOutcome.Crashed(exception), new RequeueDecision.Retry(Actor.HUB, null));
    }

    private RunReport reportNotFound(RunRequest request) {
        writeRateLimiter.release(request.key());
        failureThresholds.remove(request.key());
        verifications.remove(request.key());
        return report(request, new RunOutcome.NotFound(), new RequeueDecision.Done());
    }

    private RunReport report(RunRequest request, RunOutcome outcome, RequeueDecision requeueDecision) {
        return new RunReport(request, outcome, machineDeploymentStates.find(request.key()), requeueDecision);
    }

    private RunReport reportDecided(
            RunRequest request,
            Facts facts,
            Decision decision,
            WriteResult written,
            @Nullable Postponement postponement,
            StepTimes times) {
        DriftLoopDetector.DriftLoop loop =
                postponement == null ? recordRepairs(written.changes()) : postponement.driftLoop();
        Problem failure = loop == null ? null : loop.problem(request.inputs().namespace());
        String waitingFor = postponement == null || loop != null ? null : "the write budget";
        int attempts = 0;
        WriteResult.FailedWrite failed = written.failed();
        if (failed != null) {
            FailureThreshold threshold = recordFailure(request.key());
            attempts = threshold.failures();
            boolean shown = !failed.failure().isTransient() || threshold.isReached(scheduler.now());
            failure = shown && failed.failure().kind() != ApiFailure.ApiFailureKind.CLOSED
                    ? WriteFailureDiagnoser.diagnose(failed, facts, request.inputs(), attempts)
                    : null;
            waitingFor = failure == null ? "retry" : null;
        } else if (postponement == null) {
            failureThresholds.remove(request.key());
        }
        StoredConfig config = factsCollector.config(ObjectNames.of(facts.machineDeployment()));
        ConnectionHealth health = machineDeploymentStates.connectionHealth();
        MachineDeploymentReport report = MachineDeploymentReport.of(new RunResult(
                request.id(),
                facts,
                decision,
                written.changes(),
                failure,
                waitingFor,
                postponement == null ? Duration.ofNanos(times.ended() - times.decided()) : Duration.ZERO,
                config,
                new ConnectionHealth(
                        health.connected(),
                        health.credentialsValid(),
                        request.inputs().paused())));
        RunOutcome.Decided decided =
                new RunOutcome.Decided(facts, decision, written, attempts, postponement, config, report, times);
        return report(
                request, decided, RequeuePolicy.decide(decided, loop != null, request.failures(), scheduler.now()));
    }

    /** Returns the last loop that one of the writes belongs to; null if none. */
    private DriftLoopDetector.@Nullable DriftLoop recordRepairs(List<PlannedChange> changes) {
        return changes.stream()
                .map(driftLoopDetector::recordWrite)
                .filter(Objects::nonNull)
                .reduce(null, (first, last) -> last);
    }

    private FailureThreshold recordFailure(ObjectKey key) {
        return failureThresholds.merge(
                key,
                FailureThreshold.NO_FAILURES.recordFailure(scheduler.now()),
                (before, first) -> before.recordFailure(scheduler.now()));
    }
}
