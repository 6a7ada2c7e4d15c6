package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One message of the event stream.
 *
 * @param id opaque; a stream resumed with it goes on after this message
 * @param summary one sentence
 */
public record StreamEvent(
        String id,
        Type type,
        Instant at,
        @Nullable StreamKind kind,
        @Nullable String tenant,
        @Nullable ObjectRef object,
        @Nullable State state,
        @Nullable NewNodes newNodes,
        @Nullable ProblemEntry problem,
        @Nullable String summary) {
    public StreamEvent {
        Objects.requireNonNull(id, "id");
        Objects.requireNonNull(type, "type");
        Objects.requireNonNull(at, "at");
    }

    /** What happened to the object of a message, or to the stream itself. */
    public enum Type {
        @JsonProperty("Added")
        ADDED,
        @JsonProperty("Modified")
        MODIFIED,
        @JsonProperty("Deleted")
        DELETED,
        @JsonProperty("ProblemOpened")
        PROBLEM_OPENED,
        @JsonProperty("ProblemResolved")
        PROBLEM_RESOLVED,
        /** Nothing happened; the id is a newer place to resume from. */
        @JsonProperty("Bookmark")
        BOOKMARK,
        /** What was missed cannot be told: list again, then follow from this id. */
        @JsonProperty("Reset")
        RESET
    }
}
