package io.osmhub.core.status;

import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.Problem;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run for a MachineDeployment: its facts, decision and changes.
 *
 * @param id of the run, as in logs
 * @param appliedChanges the decision's changes that were applied
 * @param failure why some changes failed, once worth reporting; null if none did or they will be retried first
 * @param waitingFor why the changes were not attempted; null if they were
 * @param duration from the first write to the last
 * @param stored the OperatingSystemConfig after the run; null if none
 */
public record RunResult(
        String id,
        Facts facts,
        Decision decision,
        List<PlannedChange> appliedChanges,
        @Nullable Problem failure,
        @Nullable String waitingFor,
        Duration duration,
        @Nullable StoredConfig stored,
        ConnectionHealth circumstances) {
    public RunResult {
        appliedChanges = List.copyOf(appliedChanges);
    }

    boolean isComplete() {
        return failure == null
                && waitingFor == null
                && decision.withheld().isEmpty()
                && appliedChanges.containsAll(decision.changes());
    }

    /** Whether changes remain and no failure stops them. */
    boolean isInProgress() {
        return failure == null && (waitingFor != null || !appliedChanges.containsAll(decision.changes()));
    }

    /**
     * State of the tenant's connection, which affects every MachineDeployment.
     *
     * @param connected false while the worker cluster is unreachable and tokens expire
     * @param credentialsValid false when the hub's credential is rejected or expires soon
     * @param paused nothing is written
     */
    public record ConnectionHealth(boolean connected, boolean credentialsValid, boolean paused) {
        public static final ConnectionHealth NORMAL = new ConnectionHealth(true, true, false);

        boolean isNormal() {
            return connected && credentialsValid && !paused;
        }
    }

    /**
     * Decides when a transient failure is reported: after 3 failed attempts or 10 s, whichever is first, so that one short
     * failure changes no condition. A success resets it. Immutable.
     *
     * @param since first of the consecutive failures; null if the last attempt succeeded
     */
    public record FailureThreshold(int failures, @Nullable Instant since) {
        public static final FailureThreshold NO_FAILURES = new FailureThreshold(0, null);

        private static final int TRIES = 3;
        private static final Duration TIME = Duration.ofSeconds(10);

        public FailureThreshold recordFailure(Instant now) {
            return new FailureThreshold(failures + 1, since == null ? now : since);
        }

        public boolean isReached(Instant now) {
            return since != null && (failures >= TRIES || !now.isBefore(since.plus(TIME)));
        }
    }
}
