package io.osmhub.api.schema;

import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The serving replica's connection to one worker cluster. Values not observed yet are absent.
 *
 * @param intervals of the last 24 hours that the answering replica observed, oldest first, at most 100; null in lists
 */
public record Connection(
        @Nullable String servedBy,
        @Nullable String serverName,
        @Nullable List<Interval> intervals) {
    /**
     * A period in one state.
     *
     * @param to absent for the current one
     */
    public record Interval(Instant from, @Nullable Instant to, State state) {}
}
