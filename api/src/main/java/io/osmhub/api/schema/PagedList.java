package io.osmhub.api.schema;

import com.fasterxml.jackson.annotation.JsonProperty;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of a list.
 *
 * @param next cursor of the next page; null on the last
 * @param previous cursor of the previous page; null on the first
 * @param offset items before this page
 * @param total items on all pages that match the filters and are visible to the caller
 * @param stale true if a replica did not respond in time
 */
public record PagedList<T>(
        List<T> items,
        @JsonProperty("continue") @Nullable String next,
        @Nullable String previous,
        @Nullable Integer offset,
        @Nullable Integer total,
        @Nullable Boolean stale) {}
