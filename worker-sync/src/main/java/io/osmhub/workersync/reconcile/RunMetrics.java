package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.ChangeReason;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredSecret.SecretRole;
import io.osmhub.core.problem.Actor;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.reconcile.RunReport.PendingTrigger;
import io.osmhub.workersync.reconcile.RunReport.RunOutcome;
import io.osmhub.workersync.reconcile.RunReport.StepTimes;
import io.osmhub.workersync.write.WriteTarget;
import java.time.Duration;
import java.util.List;
import java.util.Locale;

/** Notifies the observer of metrics. */
final class RunMetrics implements RunListener {
    private final SyncObserver syncObserver;

    RunMetrics(SyncObserver syncObserver) {
        this.syncObserver = syncObserver;
    }

    @Override
    public void onRunEnded(RunReport report) {
        if (report.outcome() instanceof RunOutcome.Decided decided) {
            recordDecided(report, decided);
        } else if (report.result() != null) {
            syncObserver.onRunCompleted(report.result(), Duration.ZERO, Duration.ZERO, Duration.ZERO);
        }
        if (report.requeueDecision() instanceof RequeueDecision.Retry retry && retry.actor() != Actor.TENANT) {
            syncObserver.onRetried(retry.actor().wireName());
        }
    }

    private void recordDecided(RunReport report, RunOutcome.Decided decided) {
        StepTimes times = decided.times();
        times.renderings().forEach(rendering -> {
            syncObserver.onRendered(rendering.engine(), Duration.ofNanos(rendering.ended() - rendering.began()));
            if (rendering.unexpected()) {
                syncObserver.onUnexpectedRendering();
            }
        });
        RunReport.Postponement postponement = decided.postponement();
        if (postponement != null && postponement.driftLoop() == null) {
            syncObserver.onWriteDelayed(postponement.delay());
        }
        Result result = report.result();
        if (result == null) {
            return;
        }
        recordChanges(decided);
        syncObserver.onRunCompleted(
                result,
                Duration.ofNanos(times.collected() - times.began()),
                Duration.ofNanos(times.decided() - times.collected()),
                Duration.ofNanos(times.ended() - times.decided()));
        switch (decided.decision().outcome()) {
            case Decision.Outcome.NotRendered _, Decision.Outcome.NotPublished _ ->
                decided.decision()
                        .problems()
                        .forEach(problem -> syncObserver.onRenderingRejected(
                                problem.reason().wireName()));
            case Decision.Outcome.Published published
            when decided.written().failed() == null -> recordPublished(report, decided, published.rendered());
            default -> {
                // Only counted.
            }
        }
    }

    private void recordChanges(RunOutcome.Decided decided) {
        for (PlannedChange change : decided.written().changes()) {
            if (DriftLoopDetector.isRepair(change)) {
                syncObserver.onDriftRepaired(WriteTarget.of(change).shortKind());
            }
            recordToken(change, true);
        }
        if (decided.written().failed() != null) {
            recordToken(decided.written().failed().change(), false);
        }
    }

    private void recordToken(PlannedChange change, boolean succeeded) {
        if (change instanceof PlannedChange.ExtendToken) {
            syncObserver.onTokenWritten("extended", succeeded);
        } else if (change.createsToken()) {
            syncObserver.onTokenWritten("replaced", succeeded);
        } else if (change instanceof PlannedChange.RequestFetchToken) {
            syncObserver.onTokenWritten("fetch", succeeded);
        }
    }

    private void recordPublished(RunReport report, RunOutcome.Decided decided, Decision.RenderSummary rendered) {
        List<PlannedChange> changes = decided.written().changes();
        if (changes.isEmpty() && decided.decision().withheld().isEmpty()) {
            syncObserver.onWritesAvoided();
        }
        if (changes.stream().noneMatch(RunMetrics::isContent)) {
            return;
        }
        for (SecretRole role : List.of(SecretRole.BOOTSTRAP, SecretRole.PROVISIONING)) {
            Integer bytes = rendered.bytes().get(role);
            if (bytes != null) {
                syncObserver.onUserDataPublished(role.name().toLowerCase(Locale.ROOT), bytes);
            }
        }
        PendingTrigger trigger = report.request().trigger();
        if (trigger != null) {
            syncObserver.onPublished(trigger.trigger(), report.sinceTrigger(decided.times()));
            if (changes.stream().anyMatch(RunMetrics::isRotation)) {
                syncObserver.onRotated(trigger.trigger());
            }
        }
    }

    private static boolean isContent(PlannedChange change) {
        return change.reason().cause() != ChangeReason.Cause.RENEWAL
                && change.object() != null
                && change.role() != null;
    }

    /** Replaces published content; not a first publication or a repair. */
    private static boolean isRotation(PlannedChange change) {
        return change.replacesContent()
                && change.reason().cause() != ChangeReason.Cause.DRIFT
                && change.reason().cause() != ChangeReason.Cause.RENEWAL;
    }
}
