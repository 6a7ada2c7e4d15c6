package io.osmhub.api.inventory;

import io.osmhub.api.paging.PageRequest;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filters for worker clusters.
 *
 * @param states only these; empty for all
 * @param newNodes only tenants with a MachineDeployment in one of these; empty for all
 * @param reason only tenants with an open problem of this reason
 * @param kubernetesVersion only this minor version, for example 1.34
 * @param profile only tenants with a MachineDeployment of this profile, as name or namespace/name
 */
public record WorkerClusterQuery(
        PageRequest page,
        Set<State> states,
        Set<NewNodes> newNodes,
        @Nullable Reason reason,
        @Nullable String kubernetesVersion,
        @Nullable String profile) {
    public WorkerClusterQuery {
        states = Set.copyOf(states);
        newNodes = Set.copyOf(newNodes);
    }

    public static WorkerClusterQuery all(PageRequest page) {
        return new WorkerClusterQuery(page, Set.of(), Set.of(), null, null, null);
    }
}
