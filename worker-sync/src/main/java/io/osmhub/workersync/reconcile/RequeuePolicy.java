package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Reason;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.reconcile.RunReport.RunOutcome;
import io.osmhub.workersync.write.WriteResult;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Decides when a MachineDeployment is reconciled again even if no input changes. */
final class RequeuePolicy {
    /** A token with less time left is a problem. */
    private static final Duration LEAST_VALIDITY = Duration.ofMinutes(20);

    private RequeuePolicy() {}

    /**
     * @param driftLoop whether another writer keeps reverting the hub's writes
     * @param failures consecutive failed runs before
     */
    static RequeueDecision decide(RunOutcome.Decided decided, boolean driftLoop, int failures, Instant now) {
        if (decided.postponement() != null) {
            return new RequeueDecision.RequeueAfter(decided.postponement().delay());
        }
        Duration delay = delay(decided, driftLoop, now);
        WriteResult.FailedWrite failed = decided.written().failed();
        if (failed != null) {
            Reason reason = WriteFailureDiagnoser.reason(failed);
            // The hub does not watch namespaces, so it retries sooner than after other problems of an operator.
            Actor actor = reason == Reason.WorkerNamespaceMissing ? Actor.HUB : reason.actor();
            // The first conflict in a row retries immediately: it may succeed with the newer object.
            boolean atOnce = failed.failure().isConflict() && failures == 0;
            return new RequeueDecision.Retry(actor, failed.failure().retryAfter(), atOnce ? Duration.ZERO : delay);
        }
        return switch (decided.decision().outcome()) {
            case Decision.Outcome.Failed _, Decision.Outcome.AwaitingFetchToken() ->
                new RequeueDecision.Retry(Actor.HUB, null, delay);
            case Decision.Outcome.NotRendered(), Decision.Outcome.NotPublished _, Decision.Outcome.Blocked()
            when !decided.problems().isEmpty() ->
                // A mistake in an input stays until the input changes, which starts a run.
                new RequeueDecision.Retry(decided.problems().getFirst().reason().actor(), null, delay);
            default -> delay == null ? new RequeueDecision.Done() : new RequeueDecision.RequeueAfter(delay);
        };
    }

    private static @Nullable Duration delay(RunOutcome.Decided decided, boolean driftLoop, Instant now) {
        Instant due = decided.decision().requeueAt();
        if (due == null) {
            due = tokenReportTime(decided.token(), now);
        }
        Duration delay = due == null ? null : Duration.between(now, due);
        if (driftLoop && (delay == null || delay.compareTo(DriftLoopDetector.PERIOD) > 0)) {
            // To report that it has ended.
            delay = DriftLoopDetector.PERIOD.plusSeconds(1);
        }
        return delay == null || delay.isPositive() ? delay : Duration.ofSeconds(1);
    }

    /** While nothing is written, the token expires: when to report the risk, then the expiration. */
    private static @Nullable Instant tokenReportTime(Decision.@Nullable TokenInUse token, Instant now) {
        if (token == null) {
            return null;
        }
        Instant end = token.expiration();
        Instant soon = end.minus(LEAST_VALIDITY);
        return soon.isAfter(now) ? soon.plusSeconds(1) : end.isAfter(now) ? end.plusSeconds(1) : null;
    }

    /** The token in use, even if it could not be extended; null if it could not be created. */
    static Decision.@Nullable TokenInUse tokenInUse(Decision decision, List<PlannedChange> applied) {
        Decision.TokenInUse token = decision.token();
        if (token == null) {
            return null;
        }
        for (PlannedChange change : Stream.concat(decision.changes().stream(), decision.withheld().stream())
                .filter(change -> !applied.contains(change))
                .toList()) {
            if (change instanceof PlannedChange.ExtendToken extend
                    && extend.found().name().equals(token.name())
                    && extend.found().expiration() != null) {
                return new Decision.TokenInUse(token.name(), extend.found().expiration());
            }
            if (change.createsToken() && change.target().name().equals(token.name())) {
                return null;
            }
        }
        return token;
    }
}
