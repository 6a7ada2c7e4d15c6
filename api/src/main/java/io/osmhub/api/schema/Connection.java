package io.osmhub.api.schema;

import io.osmhub.core.resource.Copies;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What the serving replica knows of its connection to one worker cluster. Everything is absent that it has not
 * seen yet.
 *
 * @param roundTripMilliseconds of the last ping, in milliseconds
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
        intervals = Copies.of(intervals);
    }

    /**
     * A stretch of time that the tenant spent in one state.
     *
     * @param to absent for the present one
     */
    public record Interval(Instant from, @Nullable Instant to, State state) {
        public Interval {
            Objects.requireNonNull(from, "from");
            Objects.requireNonNull(state, "state");
        }
    }
}
