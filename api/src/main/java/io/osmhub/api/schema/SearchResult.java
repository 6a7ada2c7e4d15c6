package io.osmhub.api.schema;

import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.resource.Condition;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Objects matching part of a name, best match first. */
public record SearchResult(List<Match> items) {
    /**
     * A matching object.
     *
     * @param state of a WorkerCluster
     * @param newNodes of a MachineDeployment, or of that of a Secret
     * @param valid of a profile
     * @param reason its worst problem
     * @param href path in this API
     */
    public record Match(
            ObjectRef object,
            @Nullable String tenant,
            @Nullable String workerCluster,
            @Nullable State state,
            @Nullable NewNodes newNodes,
            Condition.@Nullable Status valid,
            @Nullable Reason reason,
            @Nullable String href) {}
}
