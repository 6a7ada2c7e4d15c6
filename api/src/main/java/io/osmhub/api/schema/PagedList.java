package io.osmhub.api.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** Common properties of list pages. */
public interface PagedList<T> {
    List<T> items();

    /** Cursor of the next page; null on the last. */
    @Nullable String next();

    /** Cursor of the previous page; null on the first. */
    @Nullable String previous();

    /** Items before this page. */
    @Nullable Integer offset();

    /** Items on all pages that match the filters and are visible to the caller. */
    @Nullable Integer total();

    /** True if a replica did not respond in time. */
    @Nullable Boolean stale();
}
