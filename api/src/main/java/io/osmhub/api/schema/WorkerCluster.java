package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.workercluster.WorkerClusterSpec;
import io.osmhub.core.workercluster.WorkerClusterStatus;
import io.osmhub.core.workercluster.WorkerClusterStatus.State;
import java.time.Instant;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * One tenant: its worker cluster as registered, as found, and as the serving replica sees it at this moment.
 *
 * @param shortestTokenExpiresAt end of the bootstrap token that ends first
 * @param stale true when the replica that serves it could not be asked
 */
public record WorkerCluster(
        Metadata metadata,
        State state,
        @Nullable RegisteredBy registeredBy,
        WorkerClusterSpec spec,
        WorkerClusterStatus status,
        @Nullable Connection connection,
        @Nullable Instant shortestTokenExpiresAt,
        @Nullable Boolean stale) {
    public WorkerCluster {
        Objects.requireNonNull(metadata, "metadata");
        Objects.requireNonNull(state, "state");
        Objects.requireNonNull(spec, "spec");
        Objects.requireNonNull(status, "status");
    }

    /** The way by which a worker cluster came to the hub. */
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
        /** Somebody applied a WorkerCluster by hand. */
        @JsonProperty("Object")
        OBJECT
    }
}
