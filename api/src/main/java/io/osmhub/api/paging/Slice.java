package io.osmhub.api.paging;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One page of rows.
 *
 * @param next cursor of the page after it; null on the last
 * @param previous cursor of the page before it; null on the first
 * @param offset rows before it
 * @param total rows on all pages
 */
public record Slice<R>(
        List<R> rows, @Nullable String next, @Nullable String previous, int offset, int total) {}
