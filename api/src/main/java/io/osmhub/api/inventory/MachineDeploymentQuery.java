package io.osmhub.api.inventory;

import io.osmhub.api.paging.PageRequest;
import io.osmhub.core.osc.OperatingSystemConfigStatus.NewNodes;
import io.osmhub.core.problem.Reason;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Filters for MachineDeployments. Labels are those of the WorkerCluster: the hub does not store a MachineDeployment's own.
 *
 * @param newNodes only these; empty for all
 * @param reason only with an open problem of this reason
 * @param profile only with this profile, as name or namespace/name
 */
public record MachineDeploymentQuery(
        PageRequest page,
        Set<NewNodes> newNodes,
        @Nullable Reason reason,
        @Nullable String profile,
        @Nullable String cloudProvider) {
    public MachineDeploymentQuery {
        newNodes = Set.copyOf(newNodes);
    }

    public static MachineDeploymentQuery all(PageRequest page) {
        return new MachineDeploymentQuery(page, Set.of(), null, null, null);
    }
}
