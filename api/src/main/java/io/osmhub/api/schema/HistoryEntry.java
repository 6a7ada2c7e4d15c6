package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.problem.Reason;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * What was published at some moment, or why nothing was.
 *
 * @param writes requests that changed something in the worker cluster
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
    public HistoryEntry {
        Objects.requireNonNull(at, "at");
        Objects.requireNonNull(result, "result");
        Objects.requireNonNull(because, "because");
    }

    /** How a change ended. */
    public enum Result {
        @JsonProperty("Published")
        PUBLISHED,
        @JsonProperty("Refused")
        REFUSED,
        @JsonProperty("Restored")
        RESTORED,
        @JsonProperty("Adopted")
        ADOPTED,
        /** Rendered anew, to the very bytes that were there. */
        @JsonProperty("Kept")
        KEPT
    }
}
