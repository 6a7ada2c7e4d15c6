package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.ReasonMessage;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.write.WriteResult;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Measures a run that reached a decision. */
final class RunMetrics {
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
