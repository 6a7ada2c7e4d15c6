package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import org.jspecify.annotations.Nullable;

/**
 * Refers to one object of a cluster.
 *
 * @param namespace absent for cluster-scoped objects
 */
public record ObjectRef(
        @Nullable Cluster cluster, String kind, @Nullable String namespace, String name) {
    /** The cluster that contains the object. */
    public enum Cluster {
        /** The hub's management cluster. */
        @JsonProperty("Management")
        MANAGEMENT,
        /** The tenant's worker cluster. */
        @JsonProperty("Worker")
        WORKER
    }
}
