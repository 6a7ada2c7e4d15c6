package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** One page of OperatingSystemConfigs. */
public record OscList(
        List<Osc> items,
        @JsonProperty("continue") @Nullable String next,
        @Nullable String previous,
        @Nullable Integer offset,
        @Nullable Integer total,
        @Nullable Boolean stale)
        implements PagedList<Osc> {
    public OscList {
        items = List.copyOf(items);
    }
}
