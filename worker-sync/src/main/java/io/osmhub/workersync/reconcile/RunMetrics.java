package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.SecretRole;
import io.osmhub.core.plan.Why;
import io.osmhub.core.problem.Actor;
import io.osmhub.workersync.port.SyncObserver;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.write.Written;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/** Counts and measures a run that came to a decision. */
final class RunMetrics {
    private RunMetrics() {}

    /**
     * Counts it and says what it came to.
     *
     * @param sinceAsked from what asked for the run until now
     */
    static Result of(
            Reconciler.Outcome.Decided decided,
            List<Diagnosis> problems,
            Triggers.@Nullable Asked by,
            Duration sinceAsked,
            SyncObserver observer) {
        Reconciler.Times times = decided.times();
        Result result = result(decided, problems);
        observer.ran(result, times.look(), times.decide(), times.write());
        if (decided.decision().outcome() instanceof Decision.Outcome.NotRendered
                || decided.decision().outcome() instanceof Decision.Outcome.Held) {
            decided.decision()
                    .problems()
                    .forEach(problem ->
                            observer.renderingRefused(problem.reason().word()));
        }
        if (!(decided.decision().outcome() instanceof Decision.Outcome.Wanted(Decision.Rendered rendered))
                || decided.written().failed() != null) {
            return result;
        }
        List<Written.Done> done = decided.written().done();
        if (done.isEmpty() && decided.decision().withheld().isEmpty()) {
            observer.writesAvoided();
        }
        if (done.stream().map(Written.Done::change).anyMatch(RunMetrics::isContent)) {
            for (SecretRole document : List.of(SecretRole.BOOTSTRAP, SecretRole.PROVISIONING)) {
                Integer bytes = rendered.bytes().get(document);
                if (bytes != null) {
                    observer.userData(document.name().toLowerCase(Locale.ROOT), bytes);
                }
            }
            if (by != null) {
                observer.published(by.trigger(), sinceAsked);
                if (done.stream().map(Written.Done::change).anyMatch(RunMetrics::isRotation)) {
                    observer.rotated(by.trigger());
                }
            }
        }
        return result;
    }

    private static boolean isContent(Change change) {
        return change.why().cause() != Why.Cause.RENEWAL
                && (change instanceof Change.CreateSecret
                        || change instanceof Change.UpdateSecret
                        || change instanceof Change.ReplaceSecret);
    }

    /** Other content in place of what was published; neither a first publication nor a repair. */
    private static boolean isRotation(Change change) {
        return (change instanceof Change.UpdateSecret || change instanceof Change.ReplaceSecret)
                && change.why().cause() != Why.Cause.DRIFT
                && change.why().cause() != Why.Cause.RENEWAL;
    }

    private static Result result(Reconciler.Outcome.Decided decided, List<Diagnosis> problems) {
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
