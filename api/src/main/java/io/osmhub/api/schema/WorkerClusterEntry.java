package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * One tenant: its worker cluster as registered, as found, and as observed by the serving replica.
 *
 * @param shortestTokenExpiresAt expiry of the bootstrap token that expires first
 * @param unansweredBy name of the replica that serves the tenant, if its live values are missing because it did not answer
 */
public record WorkerClusterEntry(
        Metadata metadata,
        State state,
        @Nullable RegisteredBy registeredBy,
        WorkerClusterSpec spec,
        WorkerClusterStatus status,
        @Nullable Connection connection,
        @Nullable Instant shortestTokenExpiresAt,
        @Nullable String unansweredBy) {
    /** How a worker cluster was registered. */
    public enum RegisteredBy {
        @JsonProperty("Secret")
        SECRET,
        @JsonProperty("API")
        API,
        @JsonProperty("CLI")
        CLI,
        @JsonProperty("KKP")
        KKP,
        @JsonProperty("ClusterAPI")
        CLUSTER_API,
        /** The WorkerCluster object was applied directly. */
        @JsonProperty("Object")
        OBJECT
    }
}
