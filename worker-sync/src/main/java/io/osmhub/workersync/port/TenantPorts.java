package io.osmhub.workersync.port;

import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import java.util.List;

/**
 * Ports scoped to one tenant.
 *
 * @param problems those in the WorkerCluster's status at start: an earlier process recorded Events for them
 * @param managementEvents writes to the management cluster
 */
public record TenantPorts(
        ConfigStore configStore,
        ProfileCatalog profileCatalog,
        List<OpenProblem> problems,
        EventRecorder managementEvents,
        SyncListener syncListener) {
    public TenantPorts {
        problems = List.copyOf(problems);
    }
}
