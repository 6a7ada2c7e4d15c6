package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.problem.Reason;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * A publication, or why it did not happen.
 *
 * @param writes write requests to the worker cluster
 */
public record HistoryEntry(
        Instant at,
        Result result,
        @Nullable Reason reason,
        String because,
        @Nullable String fromRevision,
        @Nullable String toRevision,
        @Nullable Integer writes,
        @Nullable Integer durationMilliseconds) {
    /** Result of a change. */
    public enum Result {
        @JsonProperty("Published")
        PUBLISHED,
        @JsonProperty("Refused")
        REFUSED,
        @JsonProperty("Restored")
        RESTORED,
        @JsonProperty("Adopted")
        ADOPTED,
        /** Rendered again with identical bytes. */
        @JsonProperty("Kept")
        KEPT
    }
}
