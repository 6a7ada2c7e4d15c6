package io.osmhub.api.paging;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of rows.
 *
 * @param next cursor of the next page; null on the last
 * @param previous cursor of the previous page; null on the first
 * @param offset rows before this page
 * @param total rows on all pages
 */
public record RowPage<R>(
        List<R> rows, @Nullable String next, @Nullable String previous, int offset, int total) {}
