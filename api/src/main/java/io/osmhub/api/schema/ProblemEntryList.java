package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of problems. */
public record ProblemEntryList(
        List<ProblemEntry> items,
        @JsonProperty("continue") @Nullable String next,
        @Nullable String previous,
        @Nullable Integer offset,
        @Nullable Integer total,
        @Nullable Boolean stale)
        implements PagedList<ProblemEntry> {
    public ProblemEntryList {
        items = List.copyOf(items);
    }
}
