package io.osmhub.api.paging;

import java.util.Comparator;

/**
 * One order of a table's rows.
 *
 * @param name as in the query, with the fields that are implied; equal names are equal orders
 * @param comparator total: two rows that are not one are never equal
 * @param passing the rows' places follow from more than is in them, so an arrangement holds for a moment only
 */
record Order<R>(String name, Comparator<R> comparator, boolean passing) {}
