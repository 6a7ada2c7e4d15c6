package io.osmhub.api.paging;

import java.util.Comparator;

/**
 * An order of a table's rows.
 *
 * @param name as in the query, including implied fields; equal names mean equal orders
 * @param comparator total: distinct rows never compare as equal
 * @param liveValues whether the order depends on values outside the rows, so that sorted rows soon expire
 */
record RowOrder<R>(String name, Comparator<R> comparator, boolean liveValues) {}
