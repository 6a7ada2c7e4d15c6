package io.osmhub.tenancy;

import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.workersync.SyncStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A snapshot of one tenant, for display and metrics. Contains no credential.
 *
 * @param status what the WorkerCluster contains, or will once written
 * @param problems all open ones, worst and oldest first
 * @param settings null while unknown
 * @param sync null while none runs
 */
public record TenantView(
        String namespace,
        String name,
        WorkerClusterStatus status,
        List<OpenProblem> problems,
        @Nullable LayeredSettings settings,
        @Nullable SyncStatus sync) {
    public TenantView {
        problems = List.copyOf(problems);
    }
}
