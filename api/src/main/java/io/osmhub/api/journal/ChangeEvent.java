package io.osmhub.api.journal;

import io.osmhub.api.schema.ObjectRef;
import io.osmhub.api.schema.ProblemEntry;
import io.osmhub.api.schema.StreamEvent;
import io.osmhub.api.schema.StreamKind;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import io.osmhub.workersync.apiserver.Resource;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One event derived from a change.
 *
 * @param sourceResource the kind of object that recipients must be able to see
 */
public record ChangeEvent(
        StreamEvent.Type type,
        StreamKind kind,
        Resource sourceResource,
        String tenant,
        ObjectRef object,
        @Nullable State state,
        @Nullable NewNodes newNodes,
        @Nullable ProblemEntry problem,
        @Nullable String summary) {
    /** Whether the older event has the same content. */
    boolean hasSameContent(ChangeEvent older) {
        return type == StreamEvent.Type.MODIFIED
                && older.type != StreamEvent.Type.DELETED
                && problem == null
                && state == older.state
                && newNodes == older.newNodes
                && Objects.equals(summary, older.summary);
    }

    /** Converts it to a message of a stream. */
    public StreamEvent toStreamEvent(String id, Instant at) {
        return new StreamEvent(id, type, at, kind, tenant, object, state, newNodes, problem, summary);
    }
}
