package io.osmhub.core.status;

import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.PlannedChange;
import io.osmhub.core.plan.StoredConfig;
import io.osmhub.core.problem.ReasonMessage;
import java.time.Duration;
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
        @Nullable ReasonMessage failure,
        @Nullable String waitingFor,
        Duration duration,
        @Nullable StoredConfig stored,
        ConnectionHealth circumstances) {
    public RunResult {
        appliedChanges = List.copyOf(appliedChanges);
    }

    /** A run that applied all of its changes. */
    public static RunResult completed(
            String id, Facts facts, Decision decision, Duration took, @Nullable StoredConfig stored) {
        return new RunResult(
                id, facts, decision, decision.changes(), null, null, took, stored, ConnectionHealth.NORMAL);
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
}
