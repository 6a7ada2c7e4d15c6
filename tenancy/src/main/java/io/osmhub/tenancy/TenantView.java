package io.osmhub.tenancy;

import io.osmhub.core.settings.EffectiveSettings;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.workersync.SyncStatus;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One tenant as it was a moment ago, for people and metrics. Holds no credential.
 *
 * @param status what the WorkerCluster says, or will as soon as it is written
 * @param problems all that are open, worst and oldest first
 * @param settings null while they are not known
 * @param sync null while none runs
 */
public record TenantView(
        String namespace,
        String name,
        WorkerClusterStatus status,
        List<OpenProblem> problems,
        @Nullable EffectiveSettings settings,
        @Nullable SyncStatus sync) {
    public TenantView {
        problems = List.copyOf(problems);
    }
}
