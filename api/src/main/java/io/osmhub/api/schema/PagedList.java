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
 * @param unanswered names of replicas whose live values are missing, because they did not answer in time; absent if there are none
 */
public record PagedList<T>(
        List<T> items,
        @JsonProperty("continue") @Nullable String next,
        @Nullable String previous,
        @Nullable Integer offset,
        @Nullable Integer total,
        @Nullable List<String> unanswered) {
    /** The same, naming replicas that did not answer. */
    public PagedList<T> withUnanswered(List<String> replicas) {
        return new PagedList<>(items, next, previous, offset, total, replicas.isEmpty() ? null : replicas);
    }
}
