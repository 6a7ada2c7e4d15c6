package io.osmhub.api.schema;

import io.osmhub.core.workercluster.ProvisioningSettings;
import io.osmhub.core.workercluster.WorkerClusterSpec.AdmissionSettings;
import io.osmhub.core.workercluster.WorkerClusterSpec.ConnectionSettings;
import io.osmhub.core.workercluster.WorkerClusterSpec.Credentials;
import io.osmhub.core.workercluster.WorkerClusterSpec.DeletionPolicy;
import io.osmhub.core.workercluster.WorkerClusterSpec.OsmContent;
import io.osmhub.core.workercluster.WorkerClusterSpec.ProfileSettings;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Settings of a tenant: the spec of a WorkerCluster without what registration decides. Absent values are inherited. */
public record WorkerClusterSettings(
        @Nullable Boolean paused,
        @Nullable DeletionPolicy deletionPolicy,
        @Nullable OsmContent osmContent,
        @Nullable String cleanupTimeout,
        @Nullable List<String> formerHubIDs,
        @Nullable Credentials credentials,
        @Nullable ProvisioningSettings provisioning,
        @Nullable ProfileSettings profiles,
        @Nullable ConnectionSettings connection,
        @Nullable AdmissionSettings admission) {}
