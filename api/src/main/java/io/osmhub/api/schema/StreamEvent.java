package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One message of the event stream.
 *
 * @param id opaque; a stream resumed with it continues after this message
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
    /** Returns a copy with another id and time. */
    public StreamEvent sent(String newId, Instant time) {
        return new StreamEvent(newId, type, time, kind, tenant, object, state, newNodes, problem, summary);
    }

    /** What happened to the object or to the stream. */
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
        /** No change; the id is a newer position to resume from. */
        @JsonProperty("Bookmark")
        BOOKMARK,
        /** Missed events are unavailable: list again, then watch from this id. */
        @JsonProperty("Reset")
        RESET
    }

    /** Kinds of objects in the event stream. */
    public enum StreamKind {
        @JsonProperty("WorkerCluster")
        WORKER_CLUSTER,
        @JsonProperty("OperatingSystemProfile")
        OPERATING_SYSTEM_PROFILE,
        @JsonProperty("OperatingSystemConfig")
        OPERATING_SYSTEM_CONFIG,
        @JsonProperty("MachineDeployment")
        MACHINE_DEPLOYMENT,
        @JsonProperty("Problem")
        PROBLEM
    }
}
