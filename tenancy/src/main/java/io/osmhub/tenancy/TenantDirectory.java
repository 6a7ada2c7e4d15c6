package io.osmhub.tenancy;

import io.osmhub.core.settings.LayeredSettings;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.OpenProblem;
import io.osmhub.workersync.SyncStatus;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Read access to this replica's tenants. Must not block. */
public interface TenantDirectory {
    /** All tenants by namespace and name. */
    List<TenantView> tenants();

    Optional<TenantView> tenant(String namespace, String name);

    /**
     * A snapshot of one tenant, for display and metrics. Contains no credential.
     *
     * @param status what the WorkerCluster contains, or will once written
     * @param problems all open ones, worst and oldest first
     * @param settings null while unknown
     * @param sync null while none runs
     */
    record TenantView(
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

    /** For a process without tenants. */
    static TenantDirectory empty() {
        return new TenantDirectory() {
            @Override
            public List<TenantView> tenants() {
                return List.of();
            }

            @Override
            public Optional<TenantView> tenant(String namespace, String name) {
                return Optional.empty();
            }
        };
    }
}
