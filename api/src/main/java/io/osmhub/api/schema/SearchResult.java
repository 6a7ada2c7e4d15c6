package io.osmhub.api.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Objects matching part of a name, best match first. */
public record SearchResult(List<Match> items) {
    /**
     * A matching object.
     *
     * @param href path in this API
     */
    public record Match(
            ObjectRef object,
            @Nullable String tenant,
            @Nullable String workerCluster,
            @Nullable String href) {}
}
