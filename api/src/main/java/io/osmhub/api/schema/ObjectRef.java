package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Points at one object of a cluster.
 *
 * @param namespace absent for objects that have none
 */
public record ObjectRef(
        @Nullable Cluster cluster, String kind, @Nullable String namespace, String name) {
    public ObjectRef {
        Objects.requireNonNull(kind, "kind");
        Objects.requireNonNull(name, "name");
    }

    /** Which of the two clusters an object lives in. */
    public enum Cluster {
        /** Where the hub keeps its tenants. */
        @JsonProperty("Management")
        MANAGEMENT,
        /** The tenant's own. */
        @JsonProperty("Worker")
        WORKER
    }
}
