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
 * One thing that a change has to tell.
 *
 * @param behind the kind of object that who hears of it must be able to see
 */
public record Told(
        StreamEvent.Type type,
        StreamKind kind,
        Resource behind,
        String tenant,
        ObjectRef object,
        @Nullable State state,
        @Nullable NewNodes newNodes,
        @Nullable ProblemEntry problem,
        @Nullable String summary) {
    /** Whether it tells nothing that the other one, which is older, has not told. */
    boolean saysTheSame(Told older) {
        return type == StreamEvent.Type.MODIFIED
                && older.type != StreamEvent.Type.DELETED
                && problem == null
                && state == older.state
                && newNodes == older.newNodes
                && Objects.equals(summary, older.summary);
    }

    /** As a message of a stream. */
    public StreamEvent event(String id, Instant at) {
        return new StreamEvent(id, type, at, kind, tenant, object, state, newNodes, problem, summary);
    }
}
