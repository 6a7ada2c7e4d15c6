package io.osmhub.api.paging;

import org.jspecify.annotations.Nullable;

/**
 * A requested page of a list, with lengths and formats already validated against the contract.
 *
 * @param limit maximum rows of the page, 1 to 500
 * @param cursor of a neighbouring page; null for the first page
 * @param sort comma-separated fields, each with a leading {@code -} for descending; null for the default order
 * @param search part of a name, namespace, label value or reason, case-insensitive; null for all
 * @param labelSelector in Kubernetes syntax; null for all
 * @param namespace of a single tenant; null for all
 */
public record PageRequest(
        int limit,
        @Nullable String cursor,
        @Nullable String sort,
        @Nullable String search,
        @Nullable String labelSelector,
        @Nullable String namespace) {
    public static final int USUAL_LIMIT = 100;
    public static final int LARGEST_LIMIT = 500;

    public PageRequest {
        if (limit < 1 || limit > LARGEST_LIMIT) {
            throw new IllegalArgumentException("a page of " + limit + " rows");
        }
    }

    /** The first page of all rows in the default order. */
    public static PageRequest first() {
        return new PageRequest(USUAL_LIMIT, null, null, null, null, null);
    }

    /** Returns a copy with another cursor. */
    public PageRequest at(@Nullable String other) {
        return new PageRequest(limit, other, sort, search, labelSelector, namespace);
    }

    /** Returns a copy with another order. */
    public PageRequest sortedBy(@Nullable String other) {
        return new PageRequest(limit, cursor, other, search, labelSelector, namespace);
    }

    /** Returns a copy with a search text. */
    public PageRequest searching(@Nullable String other) {
        return new PageRequest(limit, cursor, sort, other, labelSelector, namespace);
    }

    /** Returns a copy with a label selector. */
    public PageRequest labelled(@Nullable String other) {
        return new PageRequest(limit, cursor, sort, search, other, namespace);
    }

    /** Returns a copy restricted to one tenant. */
    public PageRequest in(@Nullable String other) {
        return new PageRequest(limit, cursor, sort, search, labelSelector, other);
    }

    /** Returns a copy with another page size. */
    public PageRequest limitedTo(int other) {
        return new PageRequest(other, cursor, sort, search, labelSelector, namespace);
    }
}
