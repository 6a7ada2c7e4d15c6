package io.osmhub.workersync.reconcile;

import io.osmhub.core.bootstrap.ObjectNames;
import io.osmhub.core.machine.MachineDeployment;
import io.osmhub.core.osc.OperatingSystemConfigStatus;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.core.problem.Severity;
import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.status.MachineDeploymentReport;
import io.osmhub.core.status.RunResult;
import io.osmhub.core.status.RunResult.ConnectionHealth;
import io.osmhub.core.status.RunResult.FailureThreshold;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.ConfigStore;
import io.osmhub.workersync.port.Scheduler;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.reconcile.RunScheduler.PendingTriggers;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.write.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Handles the result of every run: requeue, state, Events, metrics and log lines. */
final class RunResultHandler {
    private static final Duration NO_TIME = Duration.ZERO;
    /** A token with less time left is a problem. */
    private static final Duration LEAST_VALIDITY = Duration.ofMinutes(20);

    private static final Logger LOG = LoggerFactory.getLogger(RunResultHandler.class);

    private final ConfigStore configs;
    private final RunEventRecorder teller;
    private final DriftLoopDetector drift;
    private final SyncObserver observer;
    private final Scheduler timers;
    private final Map<ObjectKey, MachineDeploymentState> states = new ConcurrentHashMap<>();
    private final Map<ObjectKey, FailureThreshold> patience = new ConcurrentHashMap<>();
    /** Open problems that an earlier process recorded Events for. */
    private final Map<ObjectKey, Set<String>> reportedBefore;

    private volatile ConnectionHealth connectionHealth = ConnectionHealth.NORMAL;

    record RunRequest(
            ObjectKey key,
            String reconcileId,
            RunTraceRecorder notes,
            TenantInputs inputs,
            int failures,
            PendingTriggers.@Nullable PendingTrigger by) {}

    /**
     * @param next retry policy after a failure, if any
     * @param again when to run again even if nothing changes
     */
    record RunFollowUp(RequeueDecision next, @Nullable Duration again) {}

    RunResultHandler(
            RunScheduler.ManagementPorts management,
            RunEventRecorder teller,
            DriftLoopDetector drift,
            SyncObserver observer,
            Scheduler timers) {
        this.configs = management.configs();
        this.reportedBefore = management.problems().stream()
                .filter(problem -> "MachineDeployment".equals(problem.kind()))
                .collect(Collectors.groupingByConcurrent(
                        problem -> new ObjectKey(String.valueOf(problem.namespace()), String.valueOf(problem.name())),
                        Collectors.mapping(RunResultHandler::text, Collectors.toUnmodifiableSet())));
        this.teller = teller;
        this.drift = drift;
        this.observer = observer;
        this.timers = timers;
    }

    /** Updates the state that all MachineDeployments share. */
    void connectionHealth(ConnectionHealth now) {
        connectionHealth = now;
        if (now.connected() && now.credentialsValid()) {
            // The first runs report it.
            return;
        }
        for (MachineDeploymentState state : List.copyOf(states.values())) {
            if (state.newNodes() == NewNodes.CURRENT) {
                states.replace(
                        state.key(), state, state.withReport(NewNodes.AT_RISK, state.problems(), state.lastRun()));
                StoredConfig stored = configs.find(state.config());
                if (stored != null && stored.status() != null) {
                    configs.enqueueStatus(stored.name(), atRisk(stored.status()));
                }
            }
        }
    }

    private static OperatingSystemConfigStatus atRisk(OperatingSystemConfigStatus status) {
        return new OperatingSystemConfigStatus(
                status.observedGeneration(),
                status.conditions(),
                NewNodes.AT_RISK,
                status.source(),
                status.wanted(),
                status.secrets(),
                status.history());
    }

    Map<ObjectKey, MachineDeploymentState> states() {
        return states;
    }

    RunFollowUp handleOutcome(RunRequest asked, Reconciler.ReconcileOutcome outcome) {
        return switch (outcome) {
            case Reconciler.ReconcileOutcome.NotFound() -> handleNotFound(asked);
            case Reconciler.ReconcileOutcome.ReadFailed(ApiFailure failure) -> handleReadFailed(asked, failure);
            case Reconciler.ReconcileOutcome.Throttled waits -> handleThrottled(asked, waits);
            case Reconciler.ReconcileOutcome.DriftLoopDetected fights -> handleDriftLoop(asked, fights);
            case Reconciler.ReconcileOutcome.Applied decided -> handleApplied(asked, decided);
        };
    }

    /** The run failed because of a bug in the hub: report it and retry. */
    RunFollowUp handleBug(RunRequest asked, RuntimeException failure) {
        RunLog.logBug(asked, failure, "Run failed, retrying", LOG);
        observer.onRunCompleted(Result.HUB_BUG, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        asked.notes().recordResult(Result.HUB_BUG, "", true);
        MachineDeploymentState before = states.get(asked.key());
        if (before != null) {
            ReasonMessage told = MachineDeploymentReport.internalError(
                    asked.inputs().namespace(), "MachineDeployment", asked.key().toString(), asked.reconcileId());
            storeState(before.withReport(before.newNodes(), List.of(told), timers.now()));
        }
        return retry(Actor.HUB, null, null);
    }

    private RunFollowUp handleNotFound(RunRequest asked) {
        states.remove(asked.key());
        reportedBefore.remove(asked.key());
        patience.remove(asked.key());
        return new RunFollowUp(new RequeueDecision.Done(), null);
    }

    private RunFollowUp handleReadFailed(RunRequest asked, ApiFailure failure) {
        observer.onRunCompleted(Result.UNREACHABLE, Duration.ZERO, Duration.ZERO, Duration.ZERO);
        asked.notes().recordResult(Result.UNREACHABLE, "", false);
        int repeats = shortenPatience(asked).failures();
        RunLog.logReadFailure(asked, failure, repeats, LOG);
        return retry(Actor.HUB, failure.retryAfter(), null);
    }

    private RunFollowUp handleThrottled(RunRequest asked, Reconciler.ReconcileOutcome.Throttled waits) {
        observer.onWriteDelayed(waits.delay());
        reportAndStore(
                asked, run(asked, waits.facts(), waits.decision(), List.of(), null, "the write budget", NO_TIME));
        return new RunFollowUp(new RequeueDecision.RequeueAfter(waits.delay()), null);
    }

    private RunFollowUp handleDriftLoop(RunRequest asked, Reconciler.ReconcileOutcome.DriftLoopDetected fights) {
        ReasonMessage loop = loop(asked, fights.loop());
        reportAndStore(asked, run(asked, fights.facts(), fights.decision(), List.of(), loop, null, NO_TIME));
        return new RunFollowUp(new RequeueDecision.RequeueAfter(fights.delay()), null);
    }

    private RunResult run(
            RunRequest asked,
            Facts facts,
            Decision decision,
            List<PlannedChange> done,
            @Nullable ReasonMessage failure,
            @Nullable String waiting,
            Duration took) {
        String config = ObjectNames.of(facts.machineDeployment()).operatingSystemConfig();
        return new RunResult(
                asked.reconcileId(),
                facts,
                decision,
                done,
                failure,
                waiting,
                took,
                configs.find(config),
                new ConnectionHealth(
                        connectionHealth.connected(),
                        connectionHealth.credentialsValid(),
                        asked.inputs().paused()));
    }

    private ReasonMessage loop(RunRequest asked, DriftLoopDetector.DriftLoop loop) {
        WriteTarget target = WriteTarget.of(loop.change());
        return Reason.DriftLoop.with(
                "tenant", asked.inputs().namespace(),
                "kind", target.kind(),
                "name", target.fullName(),
                "manager", Objects.requireNonNullElse(target.lastWriter(), "an unknown writer"),
                "n", Integer.toString(loop.repairs()),
                "field", target.lastWriter() == null ? "the whole object" : "data or annotations");
    }

    private RunFollowUp handleApplied(RunRequest asked, Reconciler.ReconcileOutcome.Applied decided) {
        Decision decision = decided.decision();
        if (decision.outcome() instanceof Decision.Outcome.NotManaged) {
            return handleNotFound(asked);
        }
        Facts facts = decided.facts();
        WriteResult written = decided.written();
        if (decision.outcome() instanceof Decision.Outcome.Failed(RuntimeException cause)) {
            RunLog.logBug(asked, cause, "Rendering failed unexpectedly", LOG);
        }
        DriftLoopDetector.DriftLoop loop = made(asked, facts.machineDeployment(), written.completed());
        ReasonMessage failure = loop == null ? null : loop(asked, loop);
        WriteResult.FailedWrite failed = written.failed();
        if (failed != null) {
            failure = failed(asked, facts, failed);
        } else {
            patience.remove(asked.key());
        }
        List<PlannedChange> done = written.completed().stream()
                .map(WriteResult.CompletedWrite::change)
                .toList();
        String waiting = failed != null && failure == null ? "retry" : null;
        MachineDeploymentReport report = reportAndStore(
                asked,
                run(
                        asked,
                        facts,
                        decision,
                        done,
                        failure,
                        waiting,
                        decided.times().write()));
        Result result = RunMetrics.of(decided, report.problems(), asked.by(), sinceAsked(asked), observer);
        asked.notes()
                .recordResult(
                        result,
                        done.isEmpty() ? "" : done.getFirst().reason().explanation(),
                        report.problems().stream()
                                .anyMatch(problem -> problem.reason().severity() == Severity.ERROR));
        return follow(asked, decided, report.problems(), loop != null);
    }

    private DriftLoopDetector.@Nullable DriftLoop made(
            RunRequest asked, MachineDeployment machineDeployment, List<WriteResult.CompletedWrite> done) {
        DriftLoopDetector.DriftLoop loop = null;
        teller.recordChanges(asked.inputs(), machineDeployment, done, sinceAsked(asked));
        for (WriteResult.CompletedWrite one : done) {
            PlannedChange change = one.change();
            RunLog.logChange(asked, machineDeployment, one, LOG);
            if (DriftLoopDetector.isRepair(change)) {
                observer.onDriftRepaired(WriteTarget.of(change).shortKind());
            }
            DriftLoopDetector.DriftLoop made = drift.recordWrite(change);
            loop = made == null ? loop : made;
            tokenWritten(change, true);
        }
        return loop;
    }

    private void tokenWritten(PlannedChange change, boolean succeeded) {
        if (change instanceof PlannedChange.ExtendToken) {
            observer.onTokenWritten("extended", succeeded);
        } else if (change instanceof PlannedChange.CreateToken) {
            observer.onTokenWritten("replaced", succeeded);
        } else if (change instanceof PlannedChange.RequestFetchToken) {
            observer.onTokenWritten("fetch", succeeded);
        }
    }

    /** Problem to report; null while it may still be transient. */
    private @Nullable ReasonMessage failed(RunRequest asked, Facts facts, WriteResult.FailedWrite failed) {
        ApiFailure failure = failed.failure();
        FailureThreshold left = shortenPatience(asked);
        RunLog.logWriteFailure(asked, failed, left.failures(), LOG);
        tokenWritten(failed.change(), false);
        boolean shown = !failure.isTransient() || left.isReached(timers.now());
        return shown && failure.kind() != ApiFailure.ApiFailureKind.CLOSED
                ? WriteFailureDiagnoser.of(failed, facts, asked.inputs(), left.failures())
                : null;
    }

    private FailureThreshold shortenPatience(RunRequest asked) {
        return patience.merge(
                asked.key(),
                FailureThreshold.NO_FAILURES.recordFailure(timers.now()),
                (before, first) -> before.recordFailure(timers.now()));
    }

    private RunFollowUp follow(
            RunRequest asked,
            Reconciler.ReconcileOutcome.Applied decided,
            List<ReasonMessage> problems,
            boolean fights) {
        WriteResult.FailedWrite failed = decided.written().failed();
        Duration again = again(decided, fights);
        if (failed != null) {
            if (failed.failure().isConflict() && asked.failures() == 0) {
                // The first conflict in a row retries immediately: it may succeed with the newer object.
                again = NO_TIME;
            }
            Reason reason = WriteFailureDiagnoser.reason(failed.failure(), WriteTarget.of(failed.change()));
            // The hub does not watch namespaces, so it retries sooner than after other problems that an operator must
            // fix.
            Actor actor = reason == Reason.WorkerNamespaceMissing ? Actor.HUB : reason.actor();
            return retry(actor, failed.failure().retryAfter(), again);
        }
        return switch (decided.decision().outcome()) {
            case Decision.Outcome.Failed _, Decision.Outcome.AwaitingFetchToken() -> retry(Actor.HUB, null, again);
            case Decision.Outcome.NotRendered(), Decision.Outcome.NotPublished _, Decision.Outcome.Blocked() ->
                problems.isEmpty()
                        ? new RunFollowUp(new RequeueDecision.Done(), again)
                        : retry(problems.getFirst().reason().actor(), null, again);
            case Decision.Outcome.NotManaged(), Decision.Outcome.Terminating(), Decision.Outcome.Published _ ->
                new RunFollowUp(new RequeueDecision.Done(), again);
        };
    }

    private @Nullable Duration again(Reconciler.ReconcileOutcome.Applied decided, boolean fights) {
        Decision decision = decided.decision();
        List<PlannedChange> done = decided.written().completed().stream()
                .map(WriteResult.CompletedWrite::change)
                .toList();
        Instant due = decision.requeueAt() == null ? tokenReportTime(token(decision, done)) : decision.requeueAt();
        Duration until = due == null ? null : Duration.between(timers.now(), due);
        if (decided.fetched() && (until == null || until.compareTo(ProviderReferenceCache.FRESH) > 0)) {
            // Fetched objects are not watched.
            until = ProviderReferenceCache.FRESH.plusSeconds(1);
        }
        if (fights && (until == null || until.compareTo(DriftLoopDetector.WITHIN) > 0)) {
            // To report that it has ended.
            until = DriftLoopDetector.WITHIN.plusSeconds(1);
        }
        return until == null || until.isPositive() ? until : Duration.ofSeconds(1);
    }

    /** The token in use, even if it could not be extended; null if it could not be created. */
    private static Decision.@Nullable TokenInUse token(Decision decision, List<PlannedChange> done) {
        Decision.TokenInUse token = decision.token();
        if (token == null) {
            return null;
        }
        for (PlannedChange change : Stream.concat(decision.changes().stream(), decision.withheld().stream())
                .toList()) {
            if (change instanceof PlannedChange.ExtendToken extend
                    && extend.found().name().equals(token.name())
                    && extend.found().expiration() != null
                    && !done.contains(change)) {
                return new Decision.TokenInUse(token.name(), extend.found().expiration());
            }
            if (change instanceof PlannedChange.CreateToken create
                    && create.object().name().equals(token.name())
                    && !done.contains(change)) {
                return null;
            }
        }
        return token;
    }

    /** While nothing is written, the token expires: when to report the risk, then the expiration. */
    private @Nullable Instant tokenReportTime(Decision.@Nullable TokenInUse token) {
        if (token == null) {
            return null;
        }
        Instant end = token.expiration();
        Instant soon = end.minus(LEAST_VALIDITY);
        Instant now = timers.now();
        return soon.isAfter(now) ? soon.plusSeconds(1) : end.isAfter(now) ? end.plusSeconds(1) : null;
    }

    private RunFollowUp retry(Actor actor, @Nullable Duration retryAfter, @Nullable Duration again) {
        if (actor != Actor.TENANT) {
            observer.onRetried(actor.wireName());
        }
        return new RunFollowUp(new RequeueDecision.Retry(actor, retryAfter), again);
    }

    private MachineDeploymentReport reportAndStore(RunRequest asked, RunResult run) {
        MachineDeployment machineDeployment = run.facts().machineDeployment();
        MachineDeploymentReport report = MachineDeploymentReport.of(run);
        OperatingSystemConfigStatus status = report.status();
        StoredConfig stored = run.stored();
        if (status != null && stored != null && !status.equals(stored.status())) {
            configs.enqueueStatus(stored.name(), status);
        }
        MachineDeploymentState before = states.get(asked.key());
        if (before != null) {
            for (ReasonMessage old : before.problems()) {
                if (report.problems().stream().noneMatch(now -> now.reason() == old.reason())) {
                    teller.recordResolved(
                            asked.inputs(), machineDeployment, old, Duration.between(before.since(), timers.now()));
                }
            }
        }
        teller.recordProblems(asked.inputs(), machineDeployment, news(asked.key(), before, stored, report.problems()));
        RunLog.logProblems(asked, before == null ? List.of() : before.problems(), report.problems(), LOG);
        storeState(MachineDeploymentState.of(
                report,
                machineDeployment,
                token(run.decision(), run.appliedChanges()),
                run.decision().fetch(),
                timers.now()));
        return report;
    }

    /** Problems without an Event from an earlier process, according to stored statuses; a recurring one is new. */
    private List<ReasonMessage> news(
            ObjectKey key,
            @Nullable MachineDeploymentState before,
            @Nullable StoredConfig stored,
            List<ReasonMessage> problems) {
        Set<String> told = new HashSet<>(reportedBefore.getOrDefault(key, Set.of()));
        OperatingSystemConfigStatus status = before == null && stored != null ? stored.status() : null;
        if (status != null) {
            NullableCollections.stream(status.conditions())
                    .forEach(condition -> told.add(text(condition.reason(), condition.message())));
        }
        told.retainAll(problems.stream().map(RunResultHandler::text).toList());
        if (told.isEmpty()) {
            reportedBefore.remove(key);
        } else {
            reportedBefore.put(key, told);
        }
        return problems.stream()
                .filter(problem -> !told.contains(text(problem)))
                .toList();
    }

    private static String text(ReasonMessage problem) {
        return text(problem.reason().wireName(), problem.message());
    }

    private static String text(OpenProblem problem) {
        return text(problem.reason(), problem.message());
    }

    private static String text(String reason, String message) {
        return reason + ": " + message;
    }

    /** Consecutive problems count as one period. */
    private void storeState(MachineDeploymentState state) {
        states.merge(state.key(), state, (before, now) -> {
            boolean lasting = !before.problems().isEmpty() && !now.problems().isEmpty();
            return lasting ? now.since(before.since()) : now;
        });
    }

    private Duration sinceAsked(RunRequest asked) {
        PendingTriggers.PendingTrigger by = asked.by();
        return by == null ? Duration.ZERO : Duration.ofNanos(timers.nanoTime() - by.nanos());
    }

    /** Measures a run that reached a decision. */
    static final class RunMetrics {
        private RunMetrics() {}

        /**
         * Records metrics and returns the result.
         *
         * @param sinceAsked time since the run was triggered
         */
        static Result of(
                Reconciler.ReconcileOutcome.Applied decided,
                List<ReasonMessage> problems,
                PendingTriggers.@Nullable PendingTrigger by,
                Duration sinceAsked,
                SyncObserver observer) {
            Reconciler.StepDurations times = decided.times();
            Result result = result(decided, problems);
            observer.onRunCompleted(result, times.collect(), times.decide(), times.write());
            if (decided.decision().outcome() instanceof Decision.Outcome.NotRendered
                    || decided.decision().outcome() instanceof Decision.Outcome.NotPublished) {
                decided.decision()
                        .problems()
                        .forEach(problem ->
                                observer.onRenderingRejected(problem.reason().wireName()));
            }
            if (!(decided.decision().outcome() instanceof Decision.Outcome.Published(Decision.RenderSummary rendered))
                    || decided.written().failed() != null) {
                return result;
            }
            List<WriteResult.CompletedWrite> done = decided.written().completed();
            if (done.isEmpty() && decided.decision().withheld().isEmpty()) {
                observer.onWritesAvoided();
            }
            if (done.stream().map(WriteResult.CompletedWrite::change).anyMatch(RunMetrics::isContent)) {
                for (SecretRole document : List.of(SecretRole.BOOTSTRAP, SecretRole.PROVISIONING)) {
                    Integer bytes = rendered.bytes().get(document);
                    if (bytes != null) {
                        observer.onUserDataPublished(document.name().toLowerCase(Locale.ROOT), bytes);
                    }
                }
                if (by != null) {
                    observer.onPublished(by.trigger(), sinceAsked);
                    if (done.stream().map(WriteResult.CompletedWrite::change).anyMatch(RunMetrics::isRotation)) {
                        observer.onRotated(by.trigger());
                    }
                }
            }
            return result;
        }

        private static boolean isContent(PlannedChange change) {
            return change.reason().cause() != ChangeReason.Cause.RENEWAL
                    && (change instanceof PlannedChange.CreateSecret
                            || change instanceof PlannedChange.UpdateSecret
                            || change instanceof PlannedChange.ReplaceSecret);
        }

        /** Replaces published content; not a first publication or a repair. */
        private static boolean isRotation(PlannedChange change) {
            return (change instanceof PlannedChange.UpdateSecret || change instanceof PlannedChange.ReplaceSecret)
                    && change.reason().cause() != ChangeReason.Cause.DRIFT
                    && change.reason().cause() != ChangeReason.Cause.RENEWAL;
        }

        private static Result result(Reconciler.ReconcileOutcome.Applied decided, List<ReasonMessage> problems) {
            if (decided.decision().outcome() instanceof Decision.Outcome.Failed) {
                return Result.HUB_BUG;
            }
            if (decided.written().failed() != null) {
                return Result.UNREACHABLE;
            }
            return problems.stream().anyMatch(problem -> problem.reason().actor() == Actor.TENANT)
                    ? Result.TENANT_MISTAKE
                    : Result.OK;
        }
    }
}
