package io.osmhub.workersync.reconcile;

import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Actor;
import io.osmhub.core.problem.Problem;
import io.osmhub.core.status.MachineDeploymentReport;
import io.osmhub.workersync.apiserver.ApiFailure;
import io.osmhub.workersync.port.SyncObserver.Result;
import io.osmhub.workersync.port.SyncObserver.Trigger;
import io.osmhub.workersync.port.TenantInputs;
import io.osmhub.workersync.queue.RequeueDecision;
import io.osmhub.workersync.watch.ObjectKey;
import io.osmhub.workersync.write.WriteResult;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Everything about one run of a MachineDeployment.
 *
 * @param previous state after the run before; null if there was none
 */
record RunReport(
        RunRequest request,
        RunOutcome outcome,
        @Nullable MachineDeploymentState previous,
        RequeueDecision requeueDecision) {
    /**
     * What a run starts with.
     *
     * @param id of the run, as in logs
     * @param failures consecutive failed runs before
     * @param trigger null if only its queue requested the run
     * @param trace null if tracing is off
     */
    record RunRequest(
            ObjectKey key,
            String id,
            TenantInputs inputs,
            int failures,
            @Nullable PendingTrigger trigger,
            RunTraceRecorder.@Nullable ActiveTrace trace) {}

    /** @param nanos when it arrived; monotonic */
    record PendingTrigger(Trigger trigger, long nanos) {}

    sealed interface RunOutcome {
        /** The MachineDeployment no longer exists, or the hub does not manage it. */
        record NotFound() implements RunOutcome {}

        /** The current state could not be read. */
        record ReadFailed(ApiFailure failure, int attempts) implements RunOutcome {}

        /** The run failed because of a bug in the hub. */
        record Crashed(RuntimeException exception) implements RunOutcome {}

        /**
         * A decision was made, and carried out as far as possible.
         *
         * @param attempts consecutive failed ones, including this one; 0 if it did not fail
         * @param postponement why nothing was written; null if the changes were attempted
         * @param config its OperatingSystemConfig after the writes; null if none
         * @param report its state afterwards, with the problems
         */
        record Decided(
                Facts facts,
                Decision decision,
                WriteResult written,
                int attempts,
                @Nullable Postponement postponement,
                @Nullable StoredConfig config,
                MachineDeploymentReport report,
                StepTimes times)
                implements RunOutcome {
            List<Problem> problems() {
                return report.problems();
            }

            /** With which new nodes join; null if there is none or it could not be created. */
            Decision.@Nullable TokenInUse token() {
                return RequeuePolicy.tokenInUse(decision, written.changes());
            }

            private Result result() {
                if (decision.outcome() instanceof Decision.Outcome.Failed) {
                    return Result.HUB_BUG;
                }
                if (written.failed() != null) {
                    return Result.UNREACHABLE;
                }
                return problems().stream().anyMatch(problem -> problem.actor() == Actor.TENANT)
                        ? Result.TENANT_MISTAKE
                        : Result.OK;
            }
        }
    }

    /**
     * A run that wrote nothing for now.
     *
     * @param driftLoop another writer keeps reverting the hub's writes; null if the writes wait for the write budget
     */
    record Postponement(Duration delay, DriftLoopDetector.@Nullable DriftLoop driftLoop) {}

    /** Monotonic times of a run's steps, in nanoseconds. */
    record StepTimes(long began, long collected, long decided, long ended, List<Rendering> renderings) {}

    /**
     * A rendering on a render thread; excludes waiting for it.
     *
     * @param bytes of all documents
     * @param began monotonic nanoseconds, like {@code ended}
     * @param unexpected whether it differs from published content although no input had changed
     */
    record Rendering(String engine, long bytes, long began, long ended, boolean unexpected) {}

    /** Null if the run is not counted: it found nothing, or wrote nothing for now. */
    @Nullable Result result() {
        return switch (outcome) {
            case RunOutcome.NotFound() -> null;
            case RunOutcome.ReadFailed _ -> Result.UNREACHABLE;
            case RunOutcome.Crashed _ -> Result.HUB_BUG;
            case RunOutcome.Decided decided -> decided.postponement() == null ? decided.result() : null;
        };
    }

    /** Whether nothing remains to be done for the trigger. */
    boolean isFinished() {
        return outcome instanceof RunOutcome.NotFound
                || outcome instanceof RunOutcome.Decided decided
                        && decided.postponement() == null
                        && decided.written().failed() == null;
    }

    /** Time from the trigger to the end of the writes; zero without a trigger. */
    Duration sinceTrigger(StepTimes times) {
        PendingTrigger trigger = request.trigger();
        return trigger == null ? Duration.ZERO : Duration.ofNanos(times.ended() - trigger.nanos());
    }
}
