package io.osmhub.core.status;

import io.osmhub.core.plan.Change;
import io.osmhub.core.plan.Decision;
import io.osmhub.core.plan.Diagnosis;
import io.osmhub.core.plan.Facts;
import io.osmhub.core.plan.StoredConfig;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One run for a MachineDeployment: what was known, decided and done.
 *
 * @param id of the run, as logs have it
 * @param done those changes of the decision that were made
 * @param failure why not all of them were, once it is worth telling; null when they were, or are tried again first
 * @param waiting what the changes wait for; null when they were tried
 * @param took from the first write to the last
 * @param stored the OperatingSystemConfig as it is after the run; null without one
 */
public record Run(
        String id,
        Facts facts,
        Decision decision,
        List<Change> done,
        @Nullable Diagnosis failure,
        @Nullable String waiting,
        Duration took,
        @Nullable StoredConfig stored,
        Circumstances circumstances) {
    public Run {
        done = List.copyOf(done);
    }

    /** A run all of whose changes were made. */
    public static Run completed(
            String id, Facts facts, Decision decision, Duration took, @Nullable StoredConfig stored) {
        return new Run(id, facts, decision, decision.changes(), null, null, took, stored, Circumstances.NORMAL);
    }

    boolean complete() {
        return failure == null
                && waiting == null
                && decision.withheld().isEmpty()
                && done.containsAll(decision.changes());
    }

    /** Whether changes are still to be made, and nothing is known that stops them. */
    boolean isUnderWay() {
        return failure == null && (waiting != null || !done.containsAll(decision.changes()));
    }
}
