package io.osmhub.api.schema;

import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the pages of all lists have in common. All pages of one paging show the same moment. */
public interface Page<T> {
    List<T> items();

    /** Cursor of the page after this one; null on the last. */
    @Nullable String next();

    /** Cursor of the page before this one; null on the first. */
    @Nullable String previous();

    /** Items before this page. */
    @Nullable Integer offset();

    /** Items on all pages: those that the filters let through and the caller may see. */
    @Nullable Integer total();

    /** True when somebody who knows more could not be asked in time. */
    @Nullable Boolean stale();
}
