package io.osmhub.api.paging;

import org.jspecify.annotations.Nullable;

/**
 * Which page of a list is wanted, and of which rows. The contract has checked lengths and forms.
 *
 * @param limit most rows of the page, 1 to 500
 * @param cursor of a page before; null for the first page
 * @param sort fields separated by commas, each with {@code -} in front for the other direction; null for the list's own order
 * @param search part of a name, namespace, label value or reason, in any case; null for all
 * @param labelSelector as Kubernetes writes it; null for all
 * @param namespace the only tenant; null for all
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

    /** The first page of everything, in the list's own order. */
    public static PageRequest first() {
        return new PageRequest(USUAL_LIMIT, null, null, null, null, null);
    }

    /** The same rows from another place on. */
    public PageRequest at(@Nullable String other) {
        return new PageRequest(limit, other, sort, search, labelSelector, namespace);
    }

    /** The same in another order. */
    public PageRequest sortedBy(@Nullable String other) {
        return new PageRequest(limit, cursor, other, search, labelSelector, namespace);
    }

    /** Of these only the ones with that text. */
    public PageRequest searching(@Nullable String other) {
        return new PageRequest(limit, cursor, sort, other, labelSelector, namespace);
    }

    /** Of these only those that a selector means. */
    public PageRequest labelled(@Nullable String other) {
        return new PageRequest(limit, cursor, sort, search, other, namespace);
    }

    /** Of these only one tenant's. */
    public PageRequest in(@Nullable String other) {
        return new PageRequest(limit, cursor, sort, search, labelSelector, other);
    }

    /** The same in pages of another size. */
    public PageRequest limitedTo(int other) {
        return new PageRequest(other, cursor, sort, search, labelSelector, namespace);
    }
}
