package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of worker clusters. */
public record WorkerClusterList(
        List<WorkerClusterEntry> items,
        @JsonProperty("continue") @Nullable String next,
        @Nullable String previous,
        @Nullable Integer offset,
        @Nullable Integer total,
        @Nullable Boolean stale)
        implements PagedList<WorkerClusterEntry> {
    public WorkerClusterList {
        items = List.copyOf(items);
    }
}
