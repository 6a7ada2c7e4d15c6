package io.osmhub.api.schema;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.osmhub.core.workercluster.WorkerClusterSpec.Credentials;
import io.osmhub.core.workercluster.WorkerClusterSpec.DeletionPolicy;
import io.osmhub.core.workercluster.WorkerClusterSpec.OsmContent;
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
        @Nullable ObjectNode provisioning,
        @Nullable ObjectNode profiles,
        @Nullable ObjectNode connection,
        @Nullable ObjectNode admission) {}
