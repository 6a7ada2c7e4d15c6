package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.time.Instant;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The caller as authenticated by the management cluster, and its permissions.
 *
 * @param groups as in the management cluster
 * @param sessionEndsAt absent for a bearer token
 */
public record Me(
        String user,
        List<String> groups,
        @Nullable Boolean seesAllTenants,
        @Nullable Integer tenants,
        List<Right> may,
        @Nullable Instant sessionEndsAt) {
    /** Whether it is permitted in at least one namespace. */
    public boolean isAllowed(Right.Action action) {
        return may.stream().anyMatch(right -> right.action() == action);
    }

    /**
     * One permission.
     *
     * @param namespaces the first 10,000; absent means everywhere
     */
    public record Right(Action action, @Nullable List<String> namespaces) {
        /** What may be permitted. */
        public enum Action {
            @JsonProperty("ViewClusters")
            VIEW_CLUSTERS,
            @JsonProperty("Register")
            REGISTER,
            @JsonProperty("Rotate")
            ROTATE,
            @JsonProperty("Remove")
            REMOVE,
            @JsonProperty("EditProfiles")
            EDIT_PROFILES,
            @JsonProperty("ViewSharedProfiles")
            VIEW_SHARED_PROFILES,
            @JsonProperty("EditSharedProfiles")
            EDIT_SHARED_PROFILES
        }
    }
}
