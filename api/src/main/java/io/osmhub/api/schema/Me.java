package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.NullableCollections;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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
    public Me {
        Objects.requireNonNull(user, "user");
        groups = List.copyOf(groups);
        may = List.copyOf(may);
    }

    /**
     * One permission.
     *
     * @param namespaces the first 100; absent means everywhere
     */
    public record Right(Action action, @Nullable List<String> namespaces) {
        public Right {
            Objects.requireNonNull(action, "action");
            namespaces = NullableCollections.copyOf(namespaces);
        }

        /** Permissions beyond viewing. */
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
            @JsonProperty("EditSharedProfiles")
            EDIT_SHARED_PROFILES
        }
    }
}
