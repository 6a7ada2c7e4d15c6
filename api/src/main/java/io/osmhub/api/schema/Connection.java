package io.osmhub.api.schema;

import io.osmhub.core.resource.NullableCollections;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * The serving replica's connection to one worker cluster. Values not observed yet are absent.
 *
 * @param roundTripMilliseconds of the last ping
 * @param nextAttemptAt absent while connected
 * @param intervals of the last 24 hours, oldest first, at most 100
 */
public record Connection(
        @Nullable Double roundTripMilliseconds,
        @Nullable Instant lastEventAt,
        @Nullable Instant nextAttemptAt,
        @Nullable String servedBy,
        @Nullable String serverName,
        @Nullable String user,
        @Nullable List<Interval> intervals) {
    public Connection {
        intervals = NullableCollections.copyOf(intervals);
    }

    /**
     * A period in one state.
     *
     * @param to absent for the current one
     */
    public record Interval(Instant from, @Nullable Instant to, State state) {
        public Interval {
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(state, "state");
        }
    }
}
