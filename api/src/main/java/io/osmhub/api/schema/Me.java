package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import io.osmhub.core.resource.Copies;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Who the caller is in the eyes of the management cluster, and what that lets them do.
 *
 * @param groups as the management cluster names them
 * @param sessionEndsAt absent when a bearer token was sent
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
     * One thing that the caller may do.
     *
     * @param namespaces the first 100; absent means everywhere
     */
    public record Right(Action action, @Nullable List<String> namespaces) {
        public Right {
            Objects.requireNonNull(action, "action");
            namespaces = Copies.of(namespaces);
        }

        /** What a caller may do beyond looking. */
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
