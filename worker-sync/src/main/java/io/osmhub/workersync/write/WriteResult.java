package io.osmhub.workersync.write;

import io.osmhub.core.plan.PlannedChange;
import io.osmhub.workersync.apiserver.ApiFailure;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The outcome of a list of changes.
 *
 * @param completed in no order within a stage
 * @param failed the first failure; later stages were not attempted
 */
public record WriteResult(
        List<CompletedWrite> completed, @Nullable FailedWrite failed) {
    /** Nothing was written. */
    public static final WriteResult NONE = new WriteResult(List.of(), null);

    public WriteResult {
        completed = List.copyOf(completed);
    }

    /** This result and that of further changes. */
    public WriteResult followedBy(WriteResult next) {
        List<CompletedWrite> all = new ArrayList<>(completed);
        all.addAll(next.completed);
        return new WriteResult(all, next.failed);
    }

    /** The completed changes. */
    public List<PlannedChange> changes() {
        return completed.stream().map(CompletedWrite::change).toList();
    }

    public record CompletedWrite(PlannedChange change, Duration took) {}

    /** A change that failed or whose outcome is unknown. */
    public record FailedWrite(PlannedChange change, ApiFailure failure) {}
}
